//! Two players compared.

use serde::Serialize;
use service::statistics::PlayerPair;
use utoipa::ToSchema;
use uuid::Uuid;

use super::SeatedPlayer;

/// The results of two players in the matches that they played together.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct Meetings {
    /// The number of matches in which both sat.
    pub played: i64,
    /// The number of matches in which the player had the better place.
    pub ahead: i64,
    /// The number of matches in which the other player had the better place.
    pub behind: i64,
    /// The number of matches in which they shared a place.
    pub level: i64,
    /// The number of matches that the player won, alone or together with others.
    pub won: i64,
    /// The number of matches that the other player won, alone or together with others.
    pub other_won: i64,
}

/// The results of two players in one game.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameMeetings {
    /// The key of the game.
    #[schema(example = "qwinto")]
    pub game: String,
    /// The results.
    #[serde(flatten)]
    pub meetings: Meetings,
}

/// Two players compared.
#[derive(Debug, Serialize, ToSchema)]
pub struct Versus {
    /// The player.
    pub player: SeatedPlayer,
    /// The other player.
    pub other: SeatedPlayer,
    /// The results in all games.
    pub overall: Meetings,
    /// The results in each game in which they have met.
    pub games: Vec<GameMeetings>,
}

impl Meetings {
    /// Adds the results in a game, from the point of view of a player.
    fn add(&mut self, pair: &PlayerPair, player: Uuid) {
        let in_order =
            |one: i64, two: i64| if pair.one == player { (one, two) } else { (two, one) };
        let (ahead, behind) = in_order(pair.one_ahead, pair.two_ahead);
        let (won, other_won) = in_order(pair.one_won, pair.two_won);
        self.played += pair.played;
        self.ahead += ahead;
        self.behind += behind;
        self.level += pair.played - ahead - behind;
        self.won += won;
        self.other_won += other_won;
    }
}

impl Versus {
    /// Two players compared, by the matches in which they have met.
    #[must_use]
    pub fn new(player: SeatedPlayer, other: SeatedPlayer, pairs: Vec<PlayerPair>) -> Self {
        let mut overall = Meetings::default();
        let mut games = Vec::new();
        for pair in pairs {
            let mut meetings = Meetings::default();
            meetings.add(&pair, player.id);
            overall.add(&pair, player.id);
            games.push(GameMeetings { game: pair.game, meetings });
        }
        Self { player, other, overall, games }
    }
}
