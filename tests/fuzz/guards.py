"""Takes each guard away, in a copy of the tree, and runs the test that must fail then.

    python -m tests.fuzz.guards [SECTION …]     all guards, or those of some sections

A guard whose removal no test notices is reported by name, and so is a text that is not there, or a test that fails
with the guard in place; the exit status is 1 then.
"""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("ono_replay", "dashboard", "tests", "schemas", "sample_logs", "pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE")  # fmt: skip
FAILED = 1
"""The status of pytest when tests fail; any other than 0 is a fault of the run."""


class Guard(NamedTuple):
    name: str
    file: str
    text: str
    without: str
    """What stands there instead."""
    test: str
    """Arguments of pytest that choose what must fail then."""


JOURNAL = "ono_replay/record/journal.py"
FILES = "ono_replay/record/files.py"
STREAMS = "ono_replay/log/streams.py"
LINES = "ono_replay/log/lines.py"
STRICT = "ono_replay/log/strict.py"
JSONL = "ono_replay/log/jsonl.py"
ARROW = "ono_replay/log/arrow.py"
ARCHIVE = "ono_replay/bulk/archive.py"
STORED = "ono_replay/library/stored.py"
STORE = "ono_replay/library/store.py"
MANIFEST = "ono_replay/library/manifest.py"
SANDBOX = "ono_replay/library/sandbox.py"
REDACT = "ono_replay/log/redact.py"
STANDS = "dashboard/guard.py"
SERVE = "dashboard/serve.py"

IN_JOURNAL = "tests/unit/test_journal.py -k "
IN_LINES = "tests/unit/test_lines.py -k "
IN_JSONL = "tests/unit/test_jsonl.py -k "
IN_ARROW = "tests/unit/test_arrow.py -k "
IN_SQL = "tests/unit/test_library_sql.py -k "
IN_UPKEEP = "tests/unit/test_library_upkeep.py -k "
IN_REDACT = "tests/unit/test_redact.py -k "
IN_STANDS = "tests/dashboard/test_guard.py -k "
IN_BROWSER = "tests/e2e/test_dashboard_security.py -k "
IN_FOLDERS = "tests/fuzz/test_folders.py -k "
SYNCED = "tests/fuzz/test_machine_faults.py -k test_what_gets_a_name_is_on_disk"

# --- what is acknowledged is on disk ----------------------------------------------------------------
RECORDING = [
    Guard("sync before an entry is acknowledged", JOURNAL, "                self._files.sync_data(descriptor)\n            except OSError as error:\n                self._spoiled = \"handle\"\n                self._fail(", "                pass\n            except OSError as error:\n                self._spoiled = \"handle\"\n                self._fail(", IN_JOURNAL + "one_write_and_one_sync"),
    Guard("fdatasync", FILES, "os.fdatasync(descriptor)", "pass", IN_JOURNAL + "test_a_sync_is_one_of_the_system"),
    Guard("fsync", FILES, "            os.fsync(descriptor)\n\n", "            pass\n\n", IN_JOURNAL + "test_a_sync_is_one_of_the_system"),
    Guard("sync of a folder", FILES, "            os.fsync(descriptor)\n        except OSError as error:\n            if error.errno", "            pass\n        except OSError as error:\n            if error.errno", IN_JOURNAL + "test_a_sync_is_one_of_the_system"),
    Guard("flock of a log", FILES, "fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)", "pass", IN_JOURNAL + "test_the_second_is_told_who_has_it"),
    Guard("the locked file has the name (inode)", JOURNAL, "            if _is_at(descriptor, path):\n                return", "            if True:\n                return", IN_JOURNAL + "what_is_locked_is_what_has_the_name"),
    Guard("O_NOFOLLOW", FILES, '    | getattr(os, "O_NOFOLLOW", 0)\n', "", IN_JOURNAL + "test_only_regular_files"),
    Guard("a log is a regular file", FILES, "if not stat.S_ISREG(os.fstat(descriptor).st_mode):", "if False:", IN_JOURNAL + "test_only_regular_files"),
    Guard("no writing after a fork", JOURNAL, "        if os.getpid() != self._owner:", "        if False:", IN_JOURNAL + "test_a_forked_child"),
    Guard("the size is as it was left", JOURNAL, "        if status.st_size != self._size:", "        if False:", IN_JOURNAL + "another_program_changes"),
    Guard("the log was not deleted", JOURNAL, "        if not status.st_nlink:", "        if False:", IN_JOURNAL + "test_a_deleted_log"),
    Guard("cut back after a failed write", JOURNAL, "            self._files.truncate(self._handle(), self._size)\n", "            pass\n", IN_JOURNAL + "test_a_full_disk_leaves_the_log"),
    Guard("a new handle after a failed sync", JOURNAL, '                self._spoiled = "handle"\n                self._fail(', '                self._spoiled = "tail"\n                self._fail(', IN_JOURNAL + "after_a_sync_error"),
    Guard("a finished log takes only its own place", JOURNAL, "        if not _is_at(descriptor, self.path):\n            raise LogGone", "        if False:\n            raise LogGone", IN_JOURNAL + "another_file_in_its_place"),
    Guard("a finished log is synced before its rename", JOURNAL, "            self._files.sync(descriptor)\n        except BaseException", "            pass\n        except BaseException", IN_JOURNAL + "test_the_file_is_old_or_new"),
    Guard("the folder is synced after the rename", JOURNAL, '            self._files.sync_folder(self.path.parent)\n        except OSError as error:\n            told = tell_why(self.path, "the log is finished', '            pass\n        except OSError as error:\n            told = tell_why(self.path, "the log is finished', IN_JOURNAL + "test_a_disk_that_does_not_confirm"),
    Guard("exports are synced before they get their name", "ono_replay/log/output.py", "            os.fsync(file.fileno())\n", "", SYNCED),
    Guard("exports sync their folder", "ono_replay/log/output.py", "    sync_folder(target.parent)\n", "", SYNCED),
    Guard("an export that fails is taken away", "ono_replay/log/output.py", "            draft.unlink()\n", "            pass\n", "tests/unit/test_output.py -k test_a_fault_while_writing"),
    Guard("a DuckDB file is synced before it gets its name", "ono_replay/library/exporting.py", "        sync_file(draft)\n", "", SYNCED),
    Guard("a folder of CSV files is synced where it gets its name", "ono_replay/library/exporting.py", "        draft.rename(target)\n        sync_folder(target.parent)\n", "        draft.rename(target)\n", SYNCED),
    Guard("parts of a library are synced", "ono_replay/library/parts.py", "        os.fsync(handle)\n", "        pass\n", SYNCED),
    Guard("the table of contents is synced", MANIFEST, "            os.fsync(file.fileno())\n", "", SYNCED),
    Guard("the folder of a library is synced", MANIFEST, "        draft.replace(path)\n        sync_folder(self.folder)\n", "        draft.replace(path)\n", SYNCED),
    Guard("one writer of a library", MANIFEST, "            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)\n        except OSError:\n            os.close", "            pass\n        except OSError:\n            os.close", "tests/unit/test_library_import.py -k test_a_second_writer_is_told"),
    Guard("parts that the table on disk names stay", MANIFEST, "(*self.manifest.parts, *there.parts)", "self.manifest.parts", IN_UPKEEP + "can_not_be_written"),
    Guard("parts stay while they are read", MANIFEST, "            needed |= old or set()\n", "            pass\n", IN_UPKEEP + "once_nobody_reads_it"),
]  # fmt: skip

# --- what strangers hand in -------------------------------------------------------------------------
READING = [
    Guard("sources are regular files, before they are opened", STREAMS, "if not stat.S_ISREG(found.st_mode):", "if False:", IN_LINES + "test_a_device_is_not_even_opened"),
    Guard("bombs", STREAMS, "if packed and yielded > BOMB_BYTES and", "if False and", IN_LINES + "test_a_bomb_is_refused"),
    Guard("--max-bytes", STREAMS, "if max_bytes is not None and yielded > max_bytes:", "if False:", IN_LINES + "test_a_source_may_have_a_limit"),
    Guard("a cut gzip stream", STREAMS, '    if not inflater.eof:\n        raise Cut("the gzip stream ends early")', "", IN_LINES + "cut_anywhere"),
    Guard("a cut zstd frame", STREAMS, '        if len(taken) < size:\n            raise Cut("the zstd stream ends early")', "        if len(taken) < size:\n            return", IN_LINES + "cut_anywhere"),
    Guard("window of a zstd frame", STREAMS, "zstandard.ZstdDecompressor(max_window_size=WINDOW)", "zstandard.ZstdDecompressor(max_window_size=1 << 31)", IN_LINES + "giant_window"),
    Guard("other kinds by their first bytes", STREAMS, "        if pattern.match(head):", "        if False:", IN_LINES + "refused_by_their_first_bytes"),
    Guard("the longest line", LINES, "            if length > LONGEST + len(_BOM) + 1:", "            if False:", IN_LINES + "giant_line"),
    Guard("links in a folder are not followed", LINES, "entry.is_file(follow_symlinks=False)", "entry.is_file()", IN_LINES + "test_a_folder_stands_for_its_logs"),
    Guard("folders that are links are not entered", LINES, "is_folder = entry.is_dir(follow_symlinks=False)", "is_folder = entry.is_dir()", IN_LINES + "test_a_folder_stands_for_its_logs"),
    Guard("what is passed by is told", LINES, "told.append(", "str(", IN_FOLDERS + "passed_by_and_told"),
    Guard("depth", STRICT, "    if deep is not None:", "    if False:", IN_JSONL + "test_faults_of_a_line"),
    Guard("a key twice", STRICT, "    if len(made) != len(pairs):", "    if False:", IN_JSONL + "test_faults_of_a_line"),
    Guard("half of a surrogate pair", STRICT, "    if lone is not None:", "    if False:", IN_JSONL + "test_faults_of_a_line"),
    Guard("integers past 64 bits", STRICT, "    if not SMALLEST <= value <= LARGEST:", "    if False:", IN_JSONL + "test_faults_of_a_line"),
    Guard("NaN", STRICT, '    raise _NotJson(f"{text} is no number of JSON")', "    return 0.0", IN_JSONL + "test_faults_of_a_line"),
    Guard("UTF-8", STRICT, "        text = raw.decode()\n", '        text = raw.decode("utf-8", "replace")\n', IN_JSONL + "test_faults_of_a_line"),
    Guard("only canonical lines take the fast way", JSONL, "    return canonical(event) == raw\n", "    return True\n", IN_JSONL + "test_odd_lines_are_objects"),
    Guard("deep and large free values take the slow way", JSONL, "if _is_plain(event, raw) and _is_canonical(event, raw):", "if _is_canonical(event, raw):", "tests/unit/test_json_suite.py -k 'read_as_its_name or finding_is_pinned'"),
    Guard("the digest of a log", "ono_replay/check/game.py", "elif isinstance(event, GameEnd) and event.digest != digest", "elif False and event.digest != digest", "tests/fuzz/test_promises.py -k test_a_digest_sees"),
]  # fmt: skip

# --- Parquet ----------------------------------------------------------------------------------------
PARQUET = [
    Guard("columns of a log", ARROW, "    if not schema.equals(SCHEMA):", "    if False:", IN_ARROW + "test_other_columns"),
    Guard("layout of a log", ARROW, "    if layout != LAYOUT.encode():", "    if False:", IN_ARROW + "test_another_layout"),
    Guard("digest of the lines", ARROW, "        if digest.hexdigest().encode() != expected:", "        if False:", IN_ARROW + "test_a_digest_that_is_missing"),
    Guard("a bomb of rows", ARROW, "            if yielded > BOMB_BYTES and", "            if False and", IN_ARROW + "a_bomb_of_rows"),
    Guard("memory of the reading process", ARROW, "        resource.setrlimit(resource.RLIMIT_DATA, (most, most))\n", "", IN_ARROW + "TestHostile"),
    Guard("a row is a line", ARROW, '        if b"\\n" in line or len(line) > LONGEST:', "        if False:", IN_ARROW + "test_a_row_that_is_none"),
    Guard("nothing of the folder is imported", "ono_replay/log/parquet.py", '"-P", "-m", module', '"-m", module', IN_ARROW + "what_lies_in_the_folder"),
    Guard("a fresh process is asked before a file is refused", "ono_replay/log/parquet.py", "                if not used:\n", "                if True:\n", "tests/unit/test_parquet_reader.py -k refused_for_what_was_read_before"),
    Guard("a process that holds much memory makes way", ARROW, "        if held_memory() > most_held:\n", "        if False:\n", "tests/unit/test_parquet_reader.py -k holds_much_memory"),
    Guard("page checksums of a log", ARROW, "buffer_size=1 << 16, page_checksum_verification=True", "buffer_size=1 << 16", "tests/fuzz/test_hostile_parquet.py -k page_checksums"),
    Guard("page checksums of an archive", ARCHIVE, "pq.ParquetFile(file, page_checksum_verification=True, ", "pq.ParquetFile(file, ", "tests/unit/test_archive.py -k checksum_of_its_page"),
    Guard("columns of an archive", ARCHIVE, "if not parquet.schema_arrow.equals(SCHEMA) or layout", "if layout", "tests/unit/test_archive.py -k test_other_columns"),
    Guard("page checksums of a library", STORED, "pq.ParquetFile(path, page_checksum_verification=True, ", "pq.ParquetFile(path, ", IN_UPKEEP + "checksum_of_its_page"),
    Guard("columns of a library", STORED, "            _check_columns(file.schema_arrow, path.stem, columns)\n", "", IN_UPKEEP + "columns_is_not_read"),
]  # fmt: skip

# --- SQL --------------------------------------------------------------------------------------------
SQL = [
    Guard("only questions over the views", SANDBOX, "            check_question(connection, request.sql)\n", "", IN_SQL + "gate_first"),
    Guard("no access to files", SANDBOX, '        "enable_external_access = false",\n', "", IN_SQL + "locked"),
    Guard("the lock of the settings", SANDBOX, '        "lock_configuration = true",\n', "", IN_SQL + "lock"),
    Guard("no community extensions", SANDBOX, '        "allow_community_extensions = false",\n', "", IN_SQL + "lock"),
    Guard("no secrets", SANDBOX, '        "allow_persistent_secrets = false",\n', "", IN_SQL + "lock"),
    Guard("no variables of Python", STORE, '        "python_enable_replacements": "false",\n', "", IN_SQL + "lock"),
    Guard("no extensions by themselves", STORE, '        "autoload_known_extensions": "false",\n', "", IN_SQL + "lock"),
    Guard("memory of a query", SANDBOX, "        (resource.RLIMIT_DATA, memory),\n", "", IN_SQL + "limits"),
    Guard("files of a query", SANDBOX, "        (resource.RLIMIT_FSIZE, 0),\n", "", IN_SQL + "limits"),
    Guard("time of a query", SANDBOX, "            late.start()\n", "", IN_SQL + "leaves_when"),
    Guard("the end of a process that does not end", SANDBOX, "        timer.start()\n", "", IN_SQL + "does_not_leave"),
    Guard("literals of SQL", STORE, '''return "'" + value.replace("'", "''") + "'"''', '''return "'" + value + "'"''', "tests/unit/test_naughty_names.py -k 'alias or sql'"),
    Guard("names of files are no patterns", STORE, '    return re.sub(r"[*?[]", lambda found: f"[{found[0]}]", path)', "    return path", "ono_replay/library/store.py tests/unit/test_library_sql.py -k 'pattern or bracket'"),
]  # fmt: skip

# --- what is shown ----------------------------------------------------------------------------------
SHOWING = [
    Guard("formulas in a CSV", "ono_replay/library/answers.py", 'if first and first in "=+-@＝＋－＠" else', "if False else", IN_SQL + "spreadsheet"),
    Guard("control and bidirectional characters", "ono_replay/check/printable.py", 'return _UNSAFE.sub(lambda match: f"\\\\u{{{ord(match[0]):x}}}", text)', "return text", "tests/unit/test_printable.py"),
    Guard("data in a page", "ono_replay/export/html.py", '.replace("<", "\\\\u003c")', "", "tests/unit/test_export_payload.py -k can_not_leave"),
    Guard("policy of a page", "ono_replay/export/html.py", "default-src 'none'; script-src", "script-src", "tests/unit/test_export_payload.py -k allows_itself"),
    Guard("text in a drawing", "ono_replay/export/markup.py", "    return escape(text, quote=False)", "    return text", "tests/unit/test_naughty_names.py -k test_drawings"),
    Guard("attributes in a drawing", "ono_replay/export/markup.py", "{escape(str(value))}", "{value}", "ono_replay/export/markup.py tests/unit/test_naughty_names.py -k 'drawings or markup'"),
    Guard("tags in a chart", "dashboard/charts.py", '.replace("<", "&lt;")', "", "tests/dashboard/test_library_pages.py -k no_tags"),
    Guard("surrogates on standard output", "ono_replay/check/printable.py", 'stream.write(text.encode(encoding, "backslashreplace").decode(encoding))', "raise", "tests/unit/test_printable.py -k never_raises"),
]  # fmt: skip

# --- hidden cards -----------------------------------------------------------------------------------
HIDDEN = [
    Guard("deals", REDACT, "return replace(event, cards=(HIDDEN,) * len(event.cards))", "return event", "tests/unit/test_redact.py"),
    Guard("draws", REDACT, "return replace(event, card=HIDDEN)", "return event", IN_REDACT + "secret"),
    Guard("decks", REDACT, "                deck=None,\n", "", IN_REDACT + "secret"),
    Guard("decks of a reshuffle", REDACT, "return replace(event, deck=None)", "return event", IN_REDACT + "secret"),
    Guard("seeds", REDACT, "return replace(event, seed=None)", "return event", IN_REDACT + "secret"),
    Guard("shuffles", REDACT, "shuffle=_commitment(event.shuffle) if keep_commitment else None", "shuffle=event.shuffle", IN_REDACT + "secret"),
    Guard("the seed beside a commitment", REDACT, "return Shuffle(algorithm=shuffle.algorithm, commitment=shuffle.commitment)", "return shuffle", IN_REDACT + "commitment"),
    Guard("free values and unknown keys", REDACT, "    return msgspec.structs.replace(record, **free) if free else record", "    return record", IN_REDACT + "secret"),
    Guard("unknown events", REDACT, "if isinstance(event, UnknownEvent) or (", "if (", IN_REDACT + "secret"),
    Guard("events that were undone", REDACT, "    standing = effective_events(events)\n", "    standing = list(events)\n", IN_REDACT + "secret"),
    Guard("the digest of the whole log", REDACT, "    return renumbered(seen)\n", "    return seen\n", "tests/unit/test_redact.py"),
    Guard("hands of a position", REDACT, "hand if place == seat else (HIDDEN,) * len(hand)", "hand", IN_REDACT + "position"),
    Guard("the view of another seat", REDACT, '    if start.view == "seat" and start.viewer != seat:', "    if False:", IN_REDACT + "refused"),
]  # fmt: skip

# --- the dashboard ----------------------------------------------------------------------------------
DASHBOARD = [
    Guard("names of hosts", STANDS, "        if _name(host) not in self.hosts:", "        if False:", IN_BROWSER + "only_by_its_own_name"),
    Guard("names of hosts, of the server", SERVE, '        "server.allowedHosts": sorted(hosts),\n', "", "tests/dashboard/test_guard.py -k test_the_settings"),
    Guard("pages of others", STANDS, "        if origin is not None and urlsplit(origin)", "        if False and urlsplit(origin)", IN_BROWSER + "no_page_of_somebody_else"),
    Guard("the token of a page", SERVE, '"server.enableXsrfProtection": True', '"server.enableXsrfProtection": False', IN_BROWSER + "without_the_token"),
    Guard("the policy of pages", STANDS, '((b"content-security-policy", policy().encode()), *HEADERS)', "HEADERS", IN_STANDS + "keeps_its_own_headers"),
    Guard("the largest upload", STANDS, "        if length > most:", "        if False:", IN_BROWSER + "how_long_it_is"),
    Guard("a length has to be said", STANDS, "        if length < 0:", "        if False:", IN_BROWSER + "how_long_it_is"),
    Guard("uploads that are kept", STANDS, "_kept_bytes() + self._coming", "self._coming", IN_STANDS + "up_to_a_limit"),
    Guard("uploads on their way", STANDS, "_kept_bytes() + self._coming", "_kept_bytes()", IN_STANDS + "sent_at_once"),
    Guard("pages at a time", STANDS, "if self._pages >= _MOST_PAGES else None", "if False else None", IN_STANDS + "so_many_pages"),
    Guard("pairing", STANDS, "        elif not self._is_paired(scope, asked):", "        elif False:", IN_BROWSER + "test_only_paired_browsers"),
    Guard("a code is good once", "dashboard/pairing.py", "                    self._codes.discard(code)\n", "", IN_STANDS + "good_for_one_browser"),
    Guard("details of errors", SERVE, '"client.showErrorDetails": "none"', '"client.showErrorDetails": "full"', IN_BROWSER + "tells_nothing_of_the_inside"),
    Guard("JSON only", "dashboard/routes.py", '                return _json({"error": "This takes JSON only."}, 415)', "                pass", IN_BROWSER + "no_page_of_somebody_else"),
    Guard("names of recordings", "dashboard/tables.py", "    if not _NAME.fullmatch(recording):", "    if False:", IN_BROWSER + "no_name_of_a_recording"),
    Guard("links among the recordings", "dashboard/tables.py", " and not path.is_symlink() and", " and", "tests/dashboard/test_tables.py -k only_finished"),
    Guard("names that are looked at", LINES, "                if most is not None and not most.take():\n                    break\n", "", "tests/unit/test_lines.py -k walk_stops_after"),
    Guard("logs that are looked at", "dashboard/data.py", "                if len(names) == MOST_LOGS:", "                if False:", IN_FOLDERS + "eight_thousand"),
    Guard("this machine only", "ono_replay/cli/access.py", 'LOOPBACK: Final = "127.0.0.1"', 'LOOPBACK: Final = "0.0.0.0"', IN_STANDS + "only_this_machine"),
    Guard("no telemetry", SERVE, '"browser.gatherUsageStats": False', '"browser.gatherUsageStats": True', "tests/dashboard/test_guard.py -k test_the_settings"),
    Guard("no static files", SERVE, '"server.enableStaticServing": False', '"server.enableStaticServing": True', "tests/dashboard/test_guard.py -k test_the_settings"),
    Guard("no CSV of Streamlit", SERVE, '"client.disableDataExport": True', '"client.disableDataExport": False', "tests/dashboard/test_guard.py -k test_the_settings"),
    Guard("nothing runs by standing there", SERVE, '"runner.magicEnabled": False', '"runner.magicEnabled": True', "tests/dashboard/test_guard.py -k test_the_settings"),
]  # fmt: skip

SECTIONS = {
    "recording": RECORDING, "reading": READING, "parquet": PARQUET, "sql": SQL, "showing": SHOWING, "hidden": HIDDEN, "dashboard": DASHBOARD,
}  # fmt: skip
GUARDS = [guard for guards in SECTIONS.values() for guard in guards]


class Tree:
    """A copy of the tree, in which a guard can be taken away."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, folder / name)

    def run(self, test: str) -> int:
        """Run tests in the copy; return the status of pytest."""
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *shlex.split(test)]
        surroundings = os.environ | {"PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"}
        command += ["--basetemp", str(self.folder.with_name("temporary")), "--timeout", "120"]
        done = subprocess.run(command, cwd=self.folder, env=surroundings, capture_output=True, text=True)
        self.said = done.stdout[-2000:] + done.stderr[-1000:]
        return done.returncode

    def try_without(self, guard: Guard) -> str:
        """Take a guard away, run its test, put it back; return what is wrong, or nothing."""
        path = self.folder / guard.file
        whole = path.read_text(encoding="utf-8")
        if whole.count(guard.text) != 1:
            return f"its text stands {whole.count(guard.text)} times in {guard.file}"
        path.write_text(whole.replace(guard.text, guard.without), encoding="utf-8")
        try:
            status = self.run(guard.test)
        finally:
            path.write_text(whole, encoding="utf-8")
        if status == 0:
            return f"its removal is not noticed by {guard.test}"
        return "" if status == FAILED else f"pytest ended with {status}: {self.said}"


def in_few_runs(guards: list[Guard]) -> list[str]:
    """Return the tests of some guards, those of the same files together."""
    chosen: dict[str, list[str]] = {}
    for test in dict.fromkeys(guard.test for guard in guards):
        files, _, words = test.partition(" -k ")
        chosen.setdefault(files, []).append(words.strip("'"))
    return [files + (f" -k '{' or '.join(words)}'" if all(words) else "") for files, words in chosen.items()]


def main(guards: list[Guard]) -> int:
    """Try guards one after the other; return the exit status."""
    # What is started in the background ignores ^C, and so would the servers of the tests.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(Path(folder) / "tree")
        for test in in_few_runs(guards):
            if status := tree.run(test):
                print(f"with every guard in place {test} ends with {status}: {tree.said}")
                wrong += 1
        for guard in guards:
            found = tree.try_without(guard)
            print(f"{guard.name}: {found or 'noticed'}", flush=True)
            wrong += bool(found)
    print(f"{len(guards)} guards taken away, {wrong} not noticed or not tried")
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main([guard for name in sys.argv[1:] or SECTIONS for guard in SECTIONS[name]]))
