//! Documents: what responses consist of. They know the domain and the services, but no route.

mod access_token;
mod application;
mod block;
mod bot_list;
mod charts;
mod command_result;
mod distributions;
mod events;
mod game_stats;
mod games;
mod hint;
mod invitation;
mod leaderboard;
mod legal_moves;
mod luck;
mod match_list;
mod match_messages;
mod matches;
mod my_messages;
mod player;
mod player_stats;
mod rating_history;
mod replay;
mod result;
mod rules;
pub mod schema;
mod session;
mod versus;
mod webhook;

pub use access_token::AccessToken;
pub use application::{ApplicationPlayer, PlayerLanguage};
pub use block::BlockedPlayer;
pub use bot_list::{BotDocument, BotList, BotStrength};
pub use charts::{ChartKind, ChartLink, ChartList, GameChart, PlayerChart, PlayerChartSubject};
pub use command_result::CommandResult;
pub use distributions::{
    CategoryCount, DistributionDocument, HistogramBar, MeasureDocument, Quantiles,
    ScoreLineDocument, measures,
};
pub use events::{EventDocument, EventPage};
pub use game_stats::{
    GameStats, PointMeasure, SeatWins, SeriesPoint, VersionCount, WinRates, series_measures,
};
pub use games::{
    Better, BothLanguages, GameDetails, GameList, GameSummary, LuckFigure, Measure, Named,
    RefusalReason, UnitName,
};
pub use hint::{ExpectedResult, Hint, HintMove};
pub use invitation::Invitation;
pub use leaderboard::{Leaderboard, LeaderboardEntry};
pub use legal_moves::{LegalMove, LegalMoves};
pub use luck::{MatchLuck, SeatFigure, SeatLuck};
pub use match_list::{ListedSeat, MatchListing, MatchPage};
pub use match_messages::{EndReason, MatchMessage};
pub use matches::{MatchDocument, SeatDeadline, SeatDocument, players};
pub use my_messages::{MyEnd, MyInvitation, MyMessage, MySnapshot};
pub use player::{MyProfile, Profile, SeatedPlayer};
pub use player_stats::{
    ActivityDay, GameResults, PlayerMeasure, PlayerResults, PlayerStats, RatingDocument, Streak,
};
pub use rating_history::{RatedMatch, RatingHistory};
pub use replay::{BothTexts, Frame, FramePage, Replay};
pub use result::{MatchResult, SeatRating};
pub use rules::MatchRules;
pub use session::{ListedSession, Session};
pub use versus::{GameMeetings, Meetings, Versus};
pub use webhook::{DeliveryDocument, DeliveryState, WebhookDocument};

use domain::time::Timestamp;
use service::clock;
use time::OffsetDateTime;

time::serde::format_description!(pub iso_date, Date, "[year]-[month]-[day]");

/// A stored time, as documents show it.
fn datetime(micros: i64) -> OffsetDateTime {
    clock::to_datetime(Timestamp::from_micros(micros))
}
