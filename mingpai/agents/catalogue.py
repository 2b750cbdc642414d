"""Every game and agent by name. Targets are strings: nothing is imported before it is asked for."""

from dataclasses import dataclass

from mingpai.core.registry import Entry, Registry

GAMES = {
    "doudizhu": "mingpai.games.doudizhu:GAME",
    "guandan": "mingpai.games.guandan:GAME",
    "holdem": "mingpai.games.holdem:GAME",
}

ENTRIES = (
    Entry("*", "random", "mingpai.agents.random:RandomAgent", "every legal move equally likely"),
    Entry(
        "*",
        "exec",
        "mingpai.agents.program:ProgramAgent",
        "another program that speaks the line protocol",
        is_local=True,
    ),
    Entry(
        "doudizhu", "greedy", "mingpai.agents.doudizhu_greedy:GreedyAgent", "values what a move leaves, tuned weights"
    ),
    Entry(
        "doudizhu",
        "rb",
        "mingpai.agents.doudizhu_rb:RuleBasedAgent",
        "RB: rules for leading and for following",
        "opponent of paper 003, MCTSHS",
    ),
    Entry(
        "doudizhu",
        "rhcp",
        "mingpai.agents.doudizhu_rhcp:RemainingValueAgent",
        "RHCP: the best remaining hand",
        "opponent of paper 003, MCM",
    ),
    Entry(
        "doudizhu",
        "bidder",
        "mingpai.methods.bidding.agent:BidderAgent",
        "bids by value and the others' styles",
        "paper 000, and ours",
    ),
    Entry(
        "doudizhu",
        "tempered",
        "mingpai.methods.bidding.tempered:TemperedAgent",
        "bids boldly or timidly, slips",
        "paper 000, for its test",
    ),
    Entry(
        "doudizhu",
        "mctshs",
        "mingpai.methods.handsplit.agent:MctshsAgent",
        "tree search over LessSplit candidates",
        "ours after paper 003; preset paper: paper 003, MCTSHS",
    ),
    Entry("doudizhu", "mingpai", "mingpai.methods.flagship.agent:MingpaiAgent", "inference, network, search", "ours"),
    Entry(
        "doudizhu",
        "douzero",
        "mingpai.agents.doudizhu_douzero:DouZeroAgent",
        "your own DouZero checkpoints",
        "DouZero",
        is_local=True,
    ),
    Entry(
        "doudizhu",
        "solver",
        "mingpai.methods.endgame.agent:SolverAgent",
        "proves endings, perfect with open cards",
        "paper 001",
    ),
    Entry(
        "doudizhu",
        "rlcard",
        "mingpai.agents.doudizhu_rlcard:RlcardAgent",
        "RLCard's doudizhu-rule-v1, as it is",
        "RLCard",
    ),
    Entry(
        "doudizhu",
        "cql",
        "mingpai.methods.mcm.cql:CqlAgent",
        "CQL: combinational Q-learning, a split, then a group",
        "opponent of paper 003, MCM",
    ),
    Entry("doudizhu", "mcm", "mingpai.methods.mcm.agent:McmAgent", "a value network trained by self-play", "ours"),
    Entry(
        "doudizhu",
        "mcm-paper",
        "mingpai.methods.mcm.paper_agent:PaperMcmAgent",
        "MCM: a network scores candidates, search where it is unsure",
        "paper 003, MCM",
    ),
    Entry(
        "doudizhu",
        "mcm-search",
        "mingpai.methods.flagship.agent:McmSearchAgent",
        "the value network inside the search",
        "ours",
    ),
    Entry("guandan", "rule1", "mingpai.agents.guandan_rules:Rule1", "the smallest legal group"),
    Entry("guandan", "rule2", "mingpai.agents.guandan_rules:Rule2", "groups of equal ranks, bombs kept"),
    Entry("guandan", "rule3", "mingpai.agents.guandan_rules:Rule3", "plans the hand as few groups"),
    Entry("guandan", "rule4", "mingpai.agents.guandan_rules:Rule4", "plans, counts cards, blocks, helps the partner"),
    Entry(
        "guandan",
        "ablgd",
        "mingpai.methods.abduction.agent:AblgdAgent",
        "ABL-GD: estimates hands, then abduces",
        "paper 002",
    ),
    Entry("holdem", "stabber", "mingpai.agents.holdem_styles:Stabber", "enters cheaply, then bets very often"),
    Entry("holdem", "tag", "mingpai.agents.holdem_styles:TightAggressive", "tight, aggressive, plays position"),
    Entry("holdem", "equity", "mingpai.agents.holdem_styles:EquityPlayer", "equity against uniform hands"),
    Entry("holdem", "potodds", "mingpai.agents.holdem_styles:PotOddsPlayer", "limps, calls when the price is right"),
    Entry("holdem", "rock", "mingpai.agents.holdem_styles:Rock", "waits for very good hands"),
    Entry("holdem", "maniac", "mingpai.agents.holdem_styles:Maniac", "raises and bluffs without end"),
    Entry("holdem", "station", "mingpai.agents.holdem_styles:Station", "calls nearly everything"),
    Entry("holdem", "opener", "mingpai.agents.holdem_styles:Opener", "raises what it enters with, then only calls"),
    Entry("holdem", "limper", "mingpai.agents.holdem_styles:Limper", "few hands, no raises before the flop"),
    Entry("holdem", "potfraction", "mingpai.agents.holdem_strangers:PotFraction", "bets more of the pot the better"),
    Entry("holdem", "pusher", "mingpai.agents.holdem_strangers:Pusher", "heads-up all-in with most buttons"),
    Entry("holdem", "handtable", "mingpai.agents.holdem_strangers:HandTable", "a table of made hands, no bluffs"),
    Entry(
        "holdem", "slowplayer", "mingpai.agents.holdem_strangers:SlowPlayer", "checks its best hands, then bets huge"
    ),
    Entry("holdem", "minraiser", "mingpai.agents.holdem_strangers:MinimumRaiser", "least re-raises with strong hands"),
    Entry("holdem", "changing", "mingpai.agents.holdem_strangers:Changing", "patient, then wild, then patient again"),
    Entry("holdem", "cfr", "mingpai.agents.holdem_cfr:CfrPlayer", "regret minimisation on a small game, never adapts"),
    Entry("holdem", "cfr8", "mingpai.agents.holdem_cfr:CoarseCfrPlayer", "the same on a smaller game with other bets"),
    Entry(
        "holdem", "fold", "mingpai.methods.handreading.agent:FoldAgent", "FOLD: reads hands, then decides", "paper 004"
    ),
)

REGISTRY = Registry(GAMES, ENTRIES)
"""The one registry: command line, app, arena and protocols ask it."""


@dataclass(frozen=True)
class Best:
    """The agents of a game to take when nobody is named."""

    usual: str
    """The strongest, at the effort it takes when told nothing."""
    quick: str
    """The strongest that answers at once."""
    small: str
    """The strongest without a network: it fits into an upload."""


BEST = {
    "doudizhu": Best("mingpai", "mingpai:preset=fast", "mingpai:model=none"),
    "guandan": Best("ablgd", "ablgd", "rule4"),
    "holdem": Best("fold", "fold", "fold"),
}
"""The best agents of each game, said here and nowhere else."""
