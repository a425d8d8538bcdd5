#!/usr/bin/env python3
"""Verifies proofs of matches as specified in docs/proof.md. Knows no game and needs only Python 3.

    python3 verify.py FILE...

Prints one line per file and exits with 1 if anything is wrong. It checks every hash, the commitment, and that every draw
follows from the seed. `telar verify` also checks that the events follow from the draws by the rules of the game.
"""

import hashlib, json, struct, sys, uuid

HEADER = ["id", "game", "rules_version", "options", "visibility", "creator"]
COMMIT = ["seq", "at", "seal", "player", "command_id", "payload", "hash"]


class Flaw(Exception):
    pass


def check(is_right, what):
    if not is_right:
        raise Flaw(what)


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def text(value):
    """JSON as Telar writes it: no white space, minimal escaping."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def words(key):
    """Yields the key stream of ChaCha20 as 32-bit words."""
    constants, key = struct.unpack("<4I", b"expand 32-byte k"), struct.unpack("<8I", key)
    counter = 0
    while True:
        start = [*constants, *key, counter & 0xFFFFFFFF, counter >> 32, 0, 0]
        x = start[:]

        def quarter(a, b, c, d):
            for to, other, turned, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[to] = (x[to] + x[other]) & 0xFFFFFFFF
                y = x[turned] ^ x[to]
                x[turned] = (y << by | y >> 32 - by) & 0xFFFFFFFF

        for _ in range(10):
            for a in range(4):
                quarter(a, 4 + a, 8 + a, 12 + a)
            for a in range(4):
                quarter(a, 4 + (a + 1) % 4, 8 + (a + 2) % 4, 12 + (a + 3) % 4)
        yield from ((a + b) & 0xFFFFFFFF for a, b in zip(x, start))
        counter += 1


def below(stream, n):
    whole = 2**32 // n * n
    return next(word for word in stream if word < whole) % n


def no_number(name):
    raise Flaw(f"{name} is not a number")


def verify(document):
    proof = json.loads(document, parse_constant=no_number)
    check(text(proof) == document, "the bytes differ from what Telar writes")
    check(proof["format"] == "telar/proof/1", "format: unknown")
    check(proof["status"] in ("finished", "abandoned"), "status: the match is not over")
    fields = ["format", "match", "status", "version", "commitment", "seats", "seed", "outcome", "commits"]
    check(list(proof) == [name for name in fields if name != "outcome" or "outcome" in proof], "an unknown field")
    check(list(proof["match"]) == HEADER, "match: an unknown field")
    seed, match_id = bytes.fromhex(proof["seed"]), uuid.UUID(proof["match"]["id"]).bytes
    check(sha(seed).hex() == proof["commitment"], "commitment: it is not the SHA-256 of the seed")

    previous, version, drawn = bytes(32), 0, 0
    match_key, status, outcome = None, "open", None
    for commit in proof["commits"]:
        seq, payload = commit["seq"], commit["payload"]
        check(seq == version, f"commit {version} is missing")
        check(list(commit) == COMMIT, f"commit {seq}: an unknown field")
        previous = sha(b"telar/commit/1", previous, match_id, struct.pack(">Qq", seq, commit["at"]),
                       uuid.UUID(commit["player"]).bytes, uuid.UUID(commit["command_id"]).bytes, text(payload))
        check(previous.hex() == commit["hash"], f"commit {seq}: the chain is broken")
        check(sha(b"telar/seal/1", seed, previous).hex() == commit["seal"], f"commit {seq}: the seal does not match")
        for event in (event["life"] for event in payload["events"] if "life" in event):
            kind = event["type"]
            if kind == "match_created":
                check(seq == 0 and event["seed"] == proof["seed"], "commit 0: a different seed")
                for name in HEADER:
                    check(event[name] == proof["match"][name], f"match.{name}: does not match the commits")
                seats = [{} for _ in range(event["seats"])]
            elif kind == "seat_taken":
                seats[event["seat"]] = {name: event[name] for name in ("player", "entropy") if name in event}
            elif kind == "seat_left":
                seats[event["seat"]] = {}
            elif kind == "match_started":
                entropy = [seat.get("entropy", "").encode() for seat in seats]
                match_key = sha(b"telar/match-key/1", seed, match_id, *(struct.pack(">I", len(e)) + e for e in entropy))
                status = "playing"
            elif kind == "match_finished":
                status, outcome = "finished", event["outcome"]
            elif kind == "match_abandoned":
                status = "abandoned"
        stream = match_key and words(sha(b"telar/command-key/1", match_key, struct.pack(">Q", seq)))
        for index, (n, value) in enumerate(payload.get("draws", [])):
            check(stream and below(stream, n) == value, f"commit {seq}, draw {index}: does not follow from the seed")
            drawn += 1
        version += len(payload["events"])
    check(status == proof["status"], f"commit {version} is missing, or status is wrong")
    check(version == proof["version"], "version: does not match the commits")
    check(seats == proof["seats"], "seats: does not match the commits")
    check(outcome == proof.get("outcome"), "outcome: does not match the commits")
    return (f"match {proof['match']['id']} ({proof['match']['game']}): {len(proof['commits'])} commits, "
            f"{version} events and {drawn} draws; the last hash is {previous.hex()}")


def main(files):
    wrong = 0
    for name in files:
        try:
            with open(name, "rb") as file:
                said = verify(file.read().removesuffix(b"\n"))
        except Flaw as flaw:
            wrong, said = 1, str(flaw)
        except (AttributeError, KeyError, IndexError, TypeError, ValueError, struct.error) as error:
            wrong, said = 1, f"not a proof: {error!r}"
        print(f"{name}: {said}")
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
