"""A bot that makes random legal moves: `bot.py GAME` creates a match, `bot.py GAME MATCH` joins one."""

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
from telar_client.models import CreateGuestRequest, MatchDocument, NewMatch, Problem, Status, TakeSeat

URL = os.environ.get("TELAR_URL", "http://127.0.0.1:8080")
T = TypeVar("T")


def expect(answer: T | Problem | None) -> T:
    """Returns the result of a request, or exits with the error from the server."""
    if answer is None or isinstance(answer, Problem):
        sys.exit(f"{answer.code}: {answer.detail}" if answer else "no answer")
    return answer


def sit(client: AuthenticatedClient, game: str, match: str | None) -> MatchDocument:
    """Takes a seat in the given match, or in a new one with as few seats as the game allows."""
    if match:
        return expect(take_seat.sync(UUID(match), client=client, body=TakeSeat()))
    details: GameDetails = expect(get_game.sync(game, client=client))
    return expect(create_match.sync(client=client, body=NewMatch(game=game, seats=details.min_seats)))


def choose(moves: list[LegalMove]) -> LegalMove:
    """Picks any move, but prefers to claim designs: Ettana would never end without claims."""
    winning = [listed for listed in moves if isinstance(listed.move, (EttanaMoveClaim, EttanaMoveBuyDesign))]
    return random.choice(winning or moves)


def play(client: AuthenticatedClient, id: UUID) -> None:
    """Makes moves until the match is over."""
    while True:
        legal: LegalMoves = expect(list_legal_moves.sync(id, client=client))
        if legal.status not in (Status.OPEN, Status.PLAYING):
            return
        if legal.moves:
            # If the position has changed in the meantime, the server answers 412 and we look again.
            body = MakeMove(move=choose(legal.moves).move)
            answer = make_move.sync(id, client=client, body=body, if_match=f'"{legal.version}"')
            if not (isinstance(answer, Problem) and answer.status == 412):
                expect(answer)
        else:
            # Nothing to do: wait for the next event.
            expect(list_events.sync(id, client=client, after=legal.version, wait=60, limit=1))


def main(game: str, match: str | None = None) -> None:
    # Use the token in TELAR_TOKEN, or sign in as a guest.
    token = os.environ.get("TELAR_TOKEN")
    if token is None:
        guest = create_guest.sync(client=Client(URL), body=CreateGuestRequest(name="Python bot"))
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
