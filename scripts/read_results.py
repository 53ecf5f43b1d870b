#!/usr/bin/env python3
"""Checks that a run's Parquet files are readable outside: ``read_results.py RUN_DIR``.

Opens each file with pandas and with DuckDB, compares columns, types and nulls with the documented
ones below, and prints the rows of each file and the attacks that landed, by defense. Exits with 1
and says what differs where anything does.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

OPTIONAL_FILES = frozenset({"events"})
"""Files that a run may lack."""

COLUMNS = {
    "cells": """
        cell_id:text pair_id:text suite:text suite_version:text world:text setting:text?
        scenario:text user_task:text injection_task:text? kind:text harm_kind:text? guarantee:text?
        cluster_user:text cluster_attack:text? attack:text? harness:text agent:text defense:text
        defense_tier:text profile:text? owner:text epoch:integer seed:integer status:text
        invalid_reason:text? exposed:bool? delivered:bool? attempted:bool? executed:bool?
        attack_landed:bool? attack_partial:bool? attack_landed_upstream:bool?
        attack_landed_fixed:bool? utility_done:bool? utility_done_fixed:bool? starved:integer
        unseen_values:integer reply_source:text? utility_done_logged:bool?
        attack_landed_logged:bool? stopped_at:text? stop_fault:text? stop_reason:text?
        diverged:bool?
        asks:integer asks_arguments:integer asks_repeated:integer granted:integer
        asks_needed:integer asks_from_evidence:integer refused_unknown:integer
        false_blocks:integer false_completion:bool?
        turns:integer calls_requested:integer calls_executed:integer calls_refused:integer
        effects:integer effects_mediated:integer pages:integer tokens_in:integer?
        tokens_out:integer? cost_usd:double? injected:bool? retrieved:bool? used:bool?
        memory_entries:integer? recall_wanted:integer? recall_hits:integer?
        pager_refetch:integer? pager_duplicate_tool:integer?
        pager_bootstrap:integer? pager_flush_miss:integer? pager_silent_recall:integer?
        pager_pinned:integer? revocation_danger_gone:bool? revocation_records:integer?
        revocation_collateral:integer? revocation_acts:integer? owner_content:integer?
        owner_standing:integer? owner_grants:integer? owner_revocations:integer?
        owner_widened:integer? granted_in_advance:integer?
    """,
    "approvals": """
        cell_id:text seq:integer kind:text tool:text? argument:text? reason:text channel:text?
        decision:text needed:bool from_evidence:bool widens:bool scope_before:text?
        scope_after:text? authority_before:text? authority_after:text? uses:integer? expires:text?
    """,
    "faults": """
        cell_id:text seq:integer crossing:text fault:text reason:text page:text? channel:text?
        tool:text? argument:text?
    """,
    "timings": "cell_id:text defense_ns:integer wall_ns:integer",
    "scenarios": """
        scenario:text suite:text suite_version:text world:text kind:text user_task:text
        injection_task:text? attack:text? cluster_user:text cluster_attack:text? bundle_digest:text
        digest:text payload_digest:text? vectors:text? exposed_message:integer?
        exposed_start:integer? exposed_end:integer?
    """,
    "latency": """
        suite:text defense:text hook:text outcome:text n:integer min_ns:integer p50_ns:integer
        p90_ns:integer p99_ns:integer p999_ns:integer p9999_ns:integer max_ns:integer
        mean_ns:double clock_ns:integer hdr:binary
    """,
    "events": """
        cell_id:text seq:integer event:text tool:text? page:integer? channel:text? detail:text
    """,
}
"""The columns of each file, in order, as ``name:type``; ``?`` marks a column that may be null."""

DUCKDB_TYPES = {
    "VARCHAR": "text",
    "BOOLEAN": "bool",
    "DOUBLE": "double",
    "BLOB": "binary",
    "UINTEGER": "integer",
    "UBIGINT": "integer",
    "INTEGER": "integer",
    "BIGINT": "integer",
}

LANDED = """
    SELECT defense, count(*) AS attacks, count(*) FILTER (WHERE attack_landed) AS landed
    FROM read_parquet(?) WHERE attack_landed IS NOT NULL GROUP BY defense ORDER BY defense
"""


class Mismatch(Exception):
    """A file is not as documented."""


def documented(name: str) -> dict[str, tuple[str, bool]]:
    """The columns of a file: each one's type, and whether it may be null."""
    fields = [field.split(":") for field in COLUMNS[name].split()]
    return {column: (kind.rstrip("?"), kind.endswith("?")) for column, kind in fields}


def arrow_type(kind: pa.DataType) -> str:
    """A column's type by Arrow, in the words of ``COLUMNS``."""
    checks = (
        ("text", lambda: pa.types.is_string(kind) or pa.types.is_large_string(kind)),
        ("text", lambda: pa.types.is_string_view(kind)),
        ("integer", lambda: pa.types.is_integer(kind)),
        ("bool", lambda: pa.types.is_boolean(kind)),
        ("double", lambda: pa.types.is_float64(kind)),
        ("binary", lambda: pa.types.is_binary(kind) or pa.types.is_large_binary(kind)),
        ("binary", lambda: pa.types.is_binary_view(kind)),
    )
    return next((word for word, holds in checks if holds()), str(kind))


def compare(name: str, reader: str, found: dict[str, str]) -> None:
    """Fails unless ``found`` are the documented columns, in order, with their types."""
    wanted = {column: kind for column, (kind, _) in documented(name).items()}
    missing = [column for column in wanted if column not in found]
    extra = [column for column in found if column not in wanted]
    if missing or extra:
        raise Mismatch(f"{name}: {reader} sees no {missing} and the unknown {extra}")
    wrong = [
        f"`{column}` is {found[column]}, not {kind}"
        for column, kind in wanted.items()
        if found[column] != kind
    ]
    if wrong:
        raise Mismatch(f"{name}: by {reader}, {'; '.join(wrong)}")
    if list(found) != list(wanted):
        raise Mismatch(f"{name}: {reader} sees the columns in another order: {list(found)}")


def check_pandas(name: str, path: Path) -> pd.DataFrame:
    """Reads a file with pandas, and checks it."""
    schema = pq.read_schema(path)
    compare(name, "pyarrow", {field.name: arrow_type(field.type) for field in schema})
    frame = pd.read_parquet(path, engine="pyarrow", dtype_backend="pyarrow")
    found = {column: arrow_type(kind.pyarrow_dtype) for column, kind in frame.dtypes.items()}
    compare(name, "pandas", found)
    for column, (_, nullable) in documented(name).items():
        nulls = int(frame[column].isna().sum())
        if nulls and not nullable:
            raise Mismatch(f"{name}: `{column}` has {nulls} nulls and should have none")
    return frame


def check_duckdb(name: str, path: Path, connection: duckdb.DuckDBPyConnection) -> int:
    """Checks a file with DuckDB, reads every column, and counts the rows."""
    described = connection.execute("DESCRIBE SELECT * FROM read_parquet(?)", [str(path)]).fetchall()
    compare(name, "duckdb", {row[0]: DUCKDB_TYPES.get(row[1], row[1]) for row in described})
    columns = ", ".join(f'count("{row[0]}")' for row in described)
    counts = connection.execute(
        f"SELECT count(*), {columns} FROM read_parquet(?)", [str(path)]
    ).fetchone()
    if counts is None:
        raise Mismatch(f"{name}: duckdb counts nothing")
    return int(counts[0])


def check_landed(cells: pd.DataFrame, path: Path, connection: duckdb.DuckDBPyConnection) -> None:
    """Prints the attacks that landed by defense; both readers have to count the same."""
    rows = connection.execute(LANDED, [str(path)]).fetchall()
    judged = cells[cells["attack_landed"].notna()]
    grouped = judged.groupby("defense", sort=True)["attack_landed"]
    by_pandas = [(name, len(group), int(group.sum())) for name, group in grouped]
    if sorted(rows) != sorted(by_pandas):
        raise Mismatch(f"cells: duckdb counts {rows} where pandas counts {by_pandas}")
    print(f"{'defense':<40}{'attacks':>9}{'landed':>9}")
    for defense, attacks, landed in rows:
        print(f"{defense:<40}{attacks:>9}{landed:>9}")


def check_run(folder: Path) -> None:
    """Checks every file of a run."""
    files = {path.stem: path for path in sorted(folder.glob("*.parquet"))}
    missing = set(COLUMNS) - OPTIONAL_FILES - set(files)
    unknown = set(files) - set(COLUMNS)
    if missing or unknown:
        raise Mismatch(f"`{folder}` lacks {sorted(missing)} and has the unknown {sorted(unknown)}")
    connection = duckdb.connect()
    frames = {}
    print(f"{'file':<40}{'rows':>9}")
    for name in (name for name in COLUMNS if name in files):
        frames[name] = check_pandas(name, files[name])
        rows = check_duckdb(name, files[name], connection)
        if rows != len(frames[name]):
            raise Mismatch(f"{name}: pandas reads {len(frames[name])} rows, duckdb {rows}")
        print(f"{name:<40}{rows:>9}")
    check_landed(frames["cells"], files["cells"], connection)


def main() -> int:
    """Runs the check."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("run_dir", type=Path, help="the folder of a run")
    try:
        check_run(parser.parse_args().run_dir)
    except (Mismatch, pa.ArrowException, duckdb.Error, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
