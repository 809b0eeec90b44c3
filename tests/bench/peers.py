"""Rule engines of other games in the same language: python-chess and pokerkit."""

from collections.abc import Callable
from random import Random
from typing import Any

import chess
from pokerkit import Automation, NoLimitTexasHoldem

from tests.bench.measure import Probe

SECTION = "peers"
CHESS = "python-chess: push_uci"
POKER = "pokerkit: operations"
_SEED = 7
_CHESS_GAMES = 50
_CHESS_MOVES = 120
_POKER_HANDS = 60
_CARDS = tuple(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")
_BY_ITSELF = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
"""What pokerkit does without being told: what is left are the deals and the players' choices."""

Operation = tuple[str, tuple[str, ...]]


def probes() -> tuple[Probe, Probe]:
    """Moves that python-chess checks and makes, operations that pokerkit checks and carries out."""
    return _chess(), _poker()


def _chess() -> Probe:
    rng = Random(_SEED)
    games = [_chess_moves(rng) for _ in range(_CHESS_GAMES)]

    def run() -> int:
        for moves in games:
            push = chess.Board().push_uci
            for move in moves:
                push(move)
        return sum(map(len, games))

    return Probe(SECTION, CHESS, "moves", run)


def _chess_moves(rng: Random) -> list[str]:
    """A game of random legal moves, cut off where it becomes long."""
    board = chess.Board()
    while len(board.move_stack) < _CHESS_MOVES and not board.is_game_over():
        moves = list(board.legal_moves)
        board.push(moves[int(rng.random() * len(moves))])
    return [move.uci() for move in board.move_stack]


def _poker() -> Probe:
    rng = Random(_SEED)
    hands = [_poker_operations(rng) for _ in range(_POKER_HANDS)]

    def run() -> int:
        for operations in hands:
            state = _holdem()
            for name, cards in operations:
                getattr(state, name)(*cards)
            assert not state.status, "the hand is played out"
        return sum(map(len, hands))

    return Probe(SECTION, POKER, "operations", run)


def _holdem() -> Any:
    """No-limit hold'em for four: blinds 1 and 2, 200 chips each."""
    return NoLimitTexasHoldem.create_state(_BY_ITSELF, True, 0, (1, 2), 2, (200,) * 4, 4)


def _poker_operations(rng: Random) -> list[Operation]:
    """A hand of random choices: mostly check or call, now and then a raise or a fold."""
    deck = list(_CARDS)
    rng.shuffle(deck)
    state = _holdem()
    done: list[Operation] = []
    while state.status:
        operation = _next_operation(state, deck.pop, rng.random())
        getattr(state, operation[0])(*operation[1])
        done.append(operation)
    return done


def _next_operation(state: Any, card: Callable[[], str], chance: float) -> Operation:
    if state.can_deal_hole():
        return "deal_hole", (card() + card(),)
    if state.can_burn_card():
        return "burn_card", (card(),)
    if state.can_deal_board():
        return "deal_board", ("".join(card() for _ in range(1 if state.board_cards else 3)),)
    if chance < 0.2 and state.can_fold():
        return "fold", ()
    if chance < 0.4 and state.can_complete_bet_or_raise_to():
        return "complete_bet_or_raise_to", ()
    return "check_or_call", ()
