"""A bot that makes random legal moves: `bot.py GAME` opens a match, `bot.py GAME MATCH` takes a seat in one."""

import os
import random
import sys
from typing import TypeVar
from uuid import UUID

from httpx import Timeout
from telar_client import AuthenticatedClient, Client
from telar_client.api.games import get_game
from telar_client.api.matches import create_match, get_match, list_events, take_seat
from telar_client.api.moves import list_legal_moves, make_move
from telar_client.api.players import create_guest
from telar_client.models import EttanaMoveBuyDesign, EttanaMoveClaim, GameDetails, LegalMove, LegalMoves, MakeMove
from telar_client.models import MatchDocument, NewGuest, NewMatch, Problem, Status, TakeSeat

URL = os.environ.get("TELAR_URL", "http://127.0.0.1:8080")
T = TypeVar("T")


def expect(answer: T | Problem | None) -> T:
    """What came of a request, or else the end, with what the server says about it."""
    if answer is None or isinstance(answer, Problem):
        sys.exit(f"{answer.code}: {answer.detail}" if answer else "no answer")
    return answer


def sit(client: AuthenticatedClient, game: str, match: str | None) -> MatchDocument:
    """Takes a seat: in the match that was named, or in a new one with as few seats as the game allows."""
    if match:
        return expect(take_seat.sync(UUID(match), client=client, body=TakeSeat()))
    details: GameDetails = expect(get_game.sync(game, client=client))
    return expect(create_match.sync(client=client, body=NewMatch(game=game, seats=details.min_seats)))


def choose(moves: list[LegalMove]) -> LegalMove:
    """Any move, except that designs of Ettana are bought and claimed at once: otherwise a match would never end."""
    winning = [listed for listed in moves if isinstance(listed.move, (EttanaMoveClaim, EttanaMoveBuyDesign))]
    return random.choice(winning or moves)


def play(client: AuthenticatedClient, id: UUID) -> None:
    """Moves whenever there is something to do, until the match is over."""
    while True:
        legal: LegalMoves = expect(list_legal_moves.sync(id, client=client))
        if legal.status not in (Status.OPEN, Status.PLAYING):
            return
        if legal.moves:
            # The move counts only if what it was chosen upon still holds; if not (412), look again.
            body = MakeMove(move=choose(legal.moves).move)
            answer = make_move.sync(id, client=client, body=body, if_match=f'"{legal.version}"')
            if not (isinstance(answer, Problem) and answer.status == 412):
                expect(answer)
        else:
            # Nothing to do: wait until something has happened.
            expect(list_events.sync(id, client=client, after=legal.version, wait=60, limit=1))


def main(game: str, match: str | None = None) -> None:
    # Become a guest, or the player of the token in TELAR_TOKEN.
    token = os.environ.get("TELAR_TOKEN")
    if token is None:
        guest = create_guest.sync(client=Client(URL), body=NewGuest(name="Python bot"))
        token = expect(guest).access_token
    with AuthenticatedClient(URL, token, timeout=Timeout(90)) as client:
        id = sit(client, game, match).id
        print(f"match {id}", flush=True)
        play(client, id)
        over: MatchDocument = expect(get_match.sync(id, client=client))
        for seat, standing in enumerate(over.outcome.seats if over.outcome else []):
            me = " (me)" if seat == over.my_seat else ""
            print(f"seat {seat}{me}: place {standing.place}, score {standing.score}")


main(*sys.argv[1:])
