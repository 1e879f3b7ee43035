"""Outside formats into logs, and logs into other forms of themselves.

`convert_logs(source, target)` is the one call. To read one more outside format, write a module that makes a
`Converter` (see `transcendence`; `Scribe` writes the log, `entries` and `fields` read JSON) and give it a place
in `conversion.CONVERTERS`.
"""

from ono_replay.convert.conversion import CONVERTERS as CONVERTERS
from ono_replay.convert.conversion import Conversion as Conversion
from ono_replay.convert.conversion import convert_logs as convert_logs
from ono_replay.convert.outside import Converted as Converted
from ono_replay.convert.outside import Converter as Converter
from ono_replay.convert.outside import NotConverted as NotConverted
from ono_replay.convert.scribe import Cards as Cards
from ono_replay.convert.scribe import Scribe as Scribe
from ono_replay.convert.scribe import UnknownCards as UnknownCards
