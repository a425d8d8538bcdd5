#!/usr/bin/env python3
"""Verifies proofs of matches as specified in docs/proof.md. Knows no game and needs only Python 3.

    python3 verify.py [--keys jwks.json] [--inclusion inclusion.json] FILE...
    python3 verify.py --keys jwks.json --consistency earlier-head.json consistency.json

Prints one line per file and exits with 1 if anything is wrong. It checks every hash, the commitment, and that every draw
follows from the seed; with keys, also the signatures of the server. `telar verify` also checks that the events follow from
the draws by the rules of the game.
"""

import argparse, base64, hashlib, json, struct, sys, uuid

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


# Ed25519 (RFC 8032), only as much of it as checking a signature takes. Points are x, y, z and t with t = xy/z.
P, Q = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def add(a, b):
    one, two = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    three, four = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = two - one, four - three, four + three, two + one
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number, point):
    result = (0, 1, 1, 0)
    while number:
        if number & 1:
            result = add(result, point)
        point, number = add(point, point), number >> 1
    return result


def point(encoded, what):
    number = int.from_bytes(encoded, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    check(y < P, f"{what}: not a point of the curve")
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    check((x * x - square) % P == 0 and (x or not sign), f"{what}: not a point of the curve")
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


BASE = point((4 * pow(5, -1, P) % P).to_bytes(32, "little"), "base")


def check_signature(keys, kid, message, signature, what):
    check(kid in keys, f"{what}: the key is not in the key set")
    signature = digits(signature, 64, what)
    left, factor = point(signature[:32], what), int.from_bytes(signature[32:], "little")
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + keys[kid] + message).digest(), "little") % Q
    one, other = times(factor, BASE), add(left, times(challenge, point(keys[kid], what)))
    same = not any((one[i] * other[2] - other[i] * one[2]) % P for i in (0, 1))
    check(factor < Q and same, f"{what}: not a signature of this by its key")


def digits(text, size, what):
    check(isinstance(text, str) and len(text) == 2 * size and set(text) <= set("0123456789abcdef"),
          f"{what}: expected {2 * size} lower-case hexadecimal digits")
    return bytes.fromhex(text)


def read_keys(name):
    """The keys for proofs in a copy of /.well-known/jwks.json."""
    with open(name, "rb") as file:
        keys = [key for key in json.load(file)["keys"] if (key.get("use"), key.get("crv")) == ("proof", "Ed25519")]
    check(keys, "not a key set with keys for proofs")
    return {key["kid"]: base64.urlsafe_b64decode(key["x"] + "=") for key in keys}


def check_signatures(proof, start, match_id, keys):
    """The signatures of a match that is over; `start` is the commit that started it."""
    signatures, last = proof.get("signatures", {}), proof["commits"][-1]
    if start:
        check("start" in signatures, "signatures.start: missing; nothing shows that a server played this match")
        said = signatures["start"]
        check(said["seq"] == start["seq"], "signatures.start: refers to the wrong commit")
        message = b"telar/start/1" + match_id + struct.pack(">Qq", start["seq"], start["at"])
        message += bytes.fromhex(proof["commitment"]) + bytes.fromhex(start["seal"]) + bytes([len(proof["seats"])])
        for seat in proof["seats"]:
            entropy = seat.get("entropy", "").encode()
            message += uuid.UUID(seat["player"]).bytes + struct.pack(">I", len(entropy)) + entropy
        check_signature(keys, said["kid"], message, said["signature"], "signatures.start")
    check("end" in signatures, "signatures.end: missing; nothing shows that a server played this match")
    said = signatures["end"]
    check(said["seq"] == last["seq"], "signatures.end: refers to the wrong commit")
    check_signature(keys, said["kid"], end_statement(proof), said["signature"], "signatures.end")


def end_statement(proof):
    last = proof["commits"][-1]
    return (b"telar/end/1" + uuid.UUID(proof["match"]["id"]).bytes + struct.pack(">Qq", proof["version"], last["at"])
            + bytes.fromhex(last["hash"]))


def check_head(head, keys):
    """The size and the root of a signed tree head."""
    root = digits(head["root"], 32, "tree_head.root")
    message = b"telar/tree-head/1" + struct.pack(">Qq", head["size"], head["at"]) + root
    check_signature(keys, head["kid"], message, head["signature"], "tree_head")
    return head["size"], root


def climb(path, index, last, older, newer):
    """Follows a path to the root (RFC 9162, 2.1.3.2 and 2.1.4.2). The two trees are the same for an inclusion."""
    for sibling in path:
        check(last > 0, "path: too long")
        if index & 1 or index == last:
            older, newer = sha(b"\1", sibling, older), sha(b"\1", sibling, newer)
            while not index & 1 and index:
                index, last = index >> 1, last >> 1
        else:
            newer = sha(b"\1", newer, sibling)
        index, last = index >> 1, last >> 1
    check(last == 0, "path: too short")
    return older, newer


def check_inclusion(inclusion, proof, keys):
    size, root = check_head(inclusion["tree_head"], keys)
    leaf, index = sha(b"\0", end_statement(proof)), inclusion["index"]
    check(leaf.hex() == inclusion["leaf"], "leaf: not that of this match")
    check(0 <= index < size, "index: not in the tree")
    path = [digits(hash, 32, "path") for hash in inclusion["path"]]
    check(climb(path, index, size - 1, leaf, leaf)[1] == root, "path: the tree does not include the leaf")
    return f", and leaf {index} of {size} in its transparency log"


def check_consistency(earlier, proof, keys):
    (first, before), (second, now) = check_head(earlier, keys), check_head(proof["tree_head"], keys)
    path = [digits(hash, 32, "path") for hash in proof["path"]]
    rewritten = "path: the tree does not continue the earlier one; the log was rewritten"
    check(first == proof["first"], "first: not the size of the earlier tree")
    check(first <= second, rewritten)
    if first in (0, second):
        check(not path and before == (now if first else sha()), rewritten)
    else:
        begin = before if first & (first - 1) == 0 else path.pop(0)
        index, last = first - 1, second - 1
        while index & 1:
            index, last = index >> 1, last >> 1
        check(climb(path, index, last, begin, begin) == (before, now), rewritten)
    return f"the log was only appended to, from {first} leaves to {second}"


def verify(document, keys, inclusion):
    proof = json.loads(document, parse_constant=no_number)
    check(text(proof) == document, "the bytes differ from what Telar writes")
    check(proof["format"] == "telar/proof/1", "format: unknown")
    check(proof["status"] in ("finished", "abandoned"), "status: the match is not over")
    fields = ["format", "match", "status", "version", "commitment", "seats", "seed", "outcome", "commits"]
    fields = [name for name in fields if name != "outcome" or "outcome" in proof]
    check(list(proof) in (fields, fields + ["signatures"]), "an unknown field")
    check(list(proof["match"]) == HEADER, "match: an unknown field")
    seed, match_id = bytes.fromhex(proof["seed"]), uuid.UUID(proof["match"]["id"]).bytes
    check(sha(seed).hex() == proof["commitment"], "commitment: it is not the SHA-256 of the seed")

    previous, version, drawn = bytes(32), 0, 0
    match_key, status, outcome, seats, start = None, "open", None, None, None
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
                check(event["seats"] in range(1, 9), "match_created: a match has 1 to 8 seats")
                seats = [{} for _ in range(event["seats"])]
            check(seats is not None, "commit 0: the match is not created")
            if kind == "seat_taken":
                check(event["seat"] in range(len(seats)), f"commit {seq}: there is no such seat")
                seats[event["seat"]] = {name: event[name] for name in ("player", "entropy") if name in event}
            elif kind == "seat_left":
                check(event["seat"] in range(len(seats)), f"commit {seq}: there is no such seat")
                seats[event["seat"]] = {}
            elif kind == "match_started":
                entropy = [seat.get("entropy", "").encode() for seat in seats]
                match_key = sha(b"telar/match-key/1", seed, match_id, *(struct.pack(">I", len(e)) + e for e in entropy))
                status, start = "playing", commit
            elif kind == "match_finished":
                status, outcome = "finished", event["outcome"]
            elif kind == "match_abandoned":
                status = "abandoned"
        stream = match_key and words(sha(b"telar/command-key/1", match_key, struct.pack(">Q", seq)))
        for index, (n, value) in enumerate(payload.get("draws", [])):
            check(stream and n in range(1, 2**32) and below(stream, n) == value, f"commit {seq}, draw {index}: does not follow from the seed")
            drawn += 1
        version += len(payload["events"])
    check(status == proof["status"], f"commit {version} is missing, or status is wrong")
    check(version == proof["version"], "version: does not match the commits")
    check(seats == proof["seats"], "seats: does not match the commits")
    check(outcome == proof.get("outcome"), "outcome: does not match the commits")
    signed = "it is not signed, so nothing shows that a server played this match"
    if keys:
        check_signatures(proof, start, match_id, keys)
        signed = "signed by the server with these keys"
        if inclusion:
            signed += check_inclusion(inclusion, proof, keys)
    elif "signatures" in proof:
        signed = "its signatures were not checked: no --keys"
    return (f"match {proof['match']['id']} ({proof['match']['game']}): {len(proof['commits'])} commits, "
            f"{version} events and {drawn} draws; the last hash is {previous.hex()}; {signed}")


def judged(name, judge):
    """Whether a file is wrong, and what is to be said about it."""
    try:
        with open(name, "rb") as file:
            return 0, judge(file.read().removesuffix(b"\n"))
    except Flaw as flaw:
        return 1, str(flaw)
    except (ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError,
            struct.error) as error:
        return 1, f"not a proof: {error!r}"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--keys", type=read_keys)
    arguments.add_argument("--inclusion")
    arguments.add_argument("--consistency", metavar="EARLIER")
    arguments.add_argument("files", nargs="+")
    given, load = arguments.parse_args(), lambda name: json.load(open(name, "rb"))
    if (given.inclusion or given.consistency) and not given.keys:
        arguments.error("--inclusion and --consistency need --keys")
    inclusion = given.inclusion and load(given.inclusion)
    judge = lambda document: verify(document, given.keys, inclusion)
    if given.consistency:
        judge = lambda document: check_consistency(load(given.consistency), json.loads(document), given.keys)
    wrong = 0
    for name in given.files:
        is_wrong, said = judged(name, judge)
        wrong |= is_wrong
        print(f"{name}: {said}")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
