"""The curve of a training as a Markdown table: `curve.py RUN [EVERY]`, each EVERY-th line of it and the best."""

import json
import sys
from pathlib import Path


def main(run: Path, every: int = 1) -> None:
    rows = [json.loads(line) for line in (run / "curve.jsonl").read_text().splitlines()]
    best = max(rows, key=lambda row: row["score"])
    names = [name for name in rows[0] if name not in ("round", "seconds", "lost")]
    print("|", " | ".join(["round", "CPU s", *names]), "|")
    print("| --:" * (len(names) + 2) + " |")
    for number, row in enumerate(rows):
        if number % every == 0 or row is best or row is rows[-1]:
            cells = [str(row["round"]), f"{row['seconds']:.0f}", *(f"{row[name]:.3f}" for name in names)]
            print("|", " | ".join(f"**{cell}**" for cell in cells) if row is best else " | ".join(cells), "|")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:3]))
