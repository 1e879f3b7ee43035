"""Length and tempo: how long games and rounds are, and how long a choice takes."""

from typing import Final

from dashboard.charts import Axis
from dashboard.views.frame import choose, open_frame
from dashboard.views.sections import show_section

WAYS: Final = ("n_players", "edition", "match", "max_total", "app", "year", "month")
MEASURES: Final = {
    "Cards": ("plays", Axis("cards, mean"), "games"),
    "Rounds": ("rounds", Axis("rounds, mean"), "games"),
    "Eliminations": ("eliminations", Axis("eliminations, mean"), "games"),
    "Events": ("events", Axis("events, mean"), "games"),
    "Duration": ("duration_ms", Axis("minutes, mean", scale=1 / 60_000), "games"),
    "Cards in a round": ("round_plays", Axis("cards, mean"), "rounds"),
    "Highest total": ("round_highest", Axis("total, mean"), "rounds"),
    "Reshuffles": ("round_reshuffles", Axis("reshuffles, mean"), "rounds"),
    "Duration of a round": ("round_duration_ms", Axis("minutes, mean", scale=1 / 60_000), "rounds"),
}
TEMPO: Final = "Tempo"
SPREAD: Final = {
    "least": "Least",
    "low_tenth": "Low tenth",
    "middle": "Middle",
    "high_tenth": "High tenth",
    "most": "Most",
}


def length_page() -> None:
    """Show the length of games and rounds, and the time of a choice."""
    frame = open_frame(
        "Length and tempo", "How long games and rounds are, and how long a choice takes.", WAYS
    )
    if frame is None:
        return
    title = choose([*MEASURES, TEMPO])
    if title == TEMPO:
        show_section(
            frame,
            frame.ask("tempo", by=["player"] if frame.by is None else None),
            title=TEMPO,
            about="How long a choice takes, from the event before it; of logs that tell the time.",
            axis=Axis("seconds a choice, mean", scale=0.001),
            key="tempo",
            lead=lambda row: (
                {"with_times": "yes"} | ({"player": str(row["player"])} if "player" in row else {})
            ),
            counts=("", "choices"),
        )
        return
    measure, axis, counted = MEASURES[title]
    figures = frame.ask("length")
    show_section(
        frame,
        None if figures is None else figures.of(measure),
        title=title,
        about=f"The mean with its interval, and how the {counted} differ: a tenth of them has no more than the low tenth, half no more than the middle, a tenth no less than the high tenth.",
        axis=axis,
        key=f"length-{measure}",
        lead=lambda _: {"with_times": "yes"} if "duration" in measure else {},
        counts=("", counted),
        extras=SPREAD,
        always=("low_tenth", "middle", "high_tenth"),
    )
