"""Lessons for the paper's MCM: MCTSHS plays all seats, and its decisions are kept as samples (paper 003, MCM).

    python experiments/mcm_paper_lessons.py --out runs/mcm-paper/lessons-1 --lessons 530000 --iterations 400
    python experiments/mcm_paper_lessons.py --out runs/mcm-paper/lessons-2 --lessons 100000 --iterations 5000 \\
        --seed 2 --teacher runs/mcm-paper/models/gen1     # the improvement module of a network teaches the next

Says what it will cost, then writes the shards that are missing until the folder has as many lessons as asked for; run
it again to go on. `--part 1/2` makes every second shard, so that two processes can share a folder.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from script import as_script

from mingpai.methods.mcm.improvement import ImprovementTeacher
from mingpai.methods.mcm.lessons import LessonSettings, SearchTeacher, Teacher, shard_path, write_lessons

CPU_SECONDS = 5.5e-6
"""Processor time of one simulation of the teacher, on the machine of the results."""
A_DEAL = 19
"""Lessons of a deal."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--lessons", type=int, default=520_000)
    parser.add_argument("--iterations", type=int, default=LessonSettings.iterations)
    parser.add_argument("--teacher", default="mctshs", help="mctshs, or the model folder of a network")
    parser.add_argument("--seed", type=int, default=LessonSettings.seed)
    parser.add_argument("--part", default="0/1", help="which shards: K/N, every N-th from K on")
    parser.add_argument("--from-end", action="store_true", help="the last shard first, to meet another process")
    options = parser.parse_args()
    settings = LessonSettings(options.teacher, options.iterations, seed=options.seed)
    teacher: Teacher = SearchTeacher(options.iterations)
    if options.teacher != "mctshs":
        teacher = ImprovementTeacher(options.teacher, options.iterations)
    which, parts = map(int, options.part.split("/"))
    shards = -(-options.lessons // (A_DEAL * settings.deals))
    cost = options.lessons * settings.iterations * CPU_SECONDS * 0.75
    print(f"{shards} shards, about {cost / 60:.0f} processor minutes in all", flush=True)
    start, made, numbers = time.process_time(), 0, range(which, shards, parts)
    numbers = numbers[::-1] if options.from_end else numbers
    for number, count in write_lessons(options.out, settings, numbers, teacher):
        made += count
        per = (time.process_time() - start) / made * 1e3
        print(f"{time.strftime('%H:%M')} shard {number}: {count} lessons, {made} made, {per:.2f} ms each", flush=True)
    if isinstance(teacher, ImprovementTeacher) and teacher.searched:
        print(f"{teacher.searched} searches, {teacher.overruled / teacher.searched:.1%} overruled the network")
    have = [shard_path(options.out, n) for n in range(shards) if shard_path(options.out, n).exists()]
    print(f"{sum(len(np.load(path)['lessons']) for path in have)} lessons in {len(have)} shards")


if __name__ == "__main__":
    as_script(main)
