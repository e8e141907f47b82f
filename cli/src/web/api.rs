//! Requests for data, and what they answer: JSON; `{"error":…,"hint":…}` where something is wrong.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use chakart_core::protocol::note::NoteText;
use chakart_core::rules::Action;
use chakart_core::rules::{Game, Variant, action_words};
use futures::stream::{self, Stream};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::{Semaphore, broadcast};

use super::guard::{Guard, SESSION};
use super::offers::Wanted;
use super::service::{Service, Told, Wish};
use crate::commands::luck::Results;
use crate::commands::position::request::not_listed;
use crate::desk::deed::Deed;
use crate::failure::{Exit, Failure, Kind, Problem};
use crate::show::{chat, odds, pages};

/// Odds and luck that are counted at the same time: they take whole cores.
const MAX_COUNTS: usize = 2;
/// How often a silent stream of news shows that it lives.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

#[derive(Clone)]
struct Api {
    service: Service,
    guard: Guard,
    counts: Arc<Semaphore>,
}

/// The routes of all data.
pub fn routes(service: Service, guard: Guard) -> Router {
    let api = Api { service, guard, counts: Arc::new(Semaphore::new(MAX_COUNTS)) };
    Router::new()
        .route(SESSION, post(session))
        .route("/api/lobby", get(lobby))
        .route("/api/offers", post(offer))
        .route("/api/offers/{name}", get(offered).delete(cancel))
        .route("/api/join", post(join))
        .route("/api/invites/{name}", post(accept))
        .route("/api/games/{name}", get(table))
        .route("/api/games/{name}/deeds", post(carry_out))
        .route("/api/games/{name}/odds", get(odds_of))
        .route("/api/games/{name}/luck", get(luck_of))
        .route("/api/games/{name}/transcript", get(transcript))
        .route("/api/luck", get(luck))
        .route("/api/rules/{variant}", get(rules))
        .route("/api/events", get(events))
        .with_state(api)
}

/// What goes wrong, as an answer.
struct Refusal(Failure);

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self(failure)
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self(problem.into())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let problem = match self.0 {
            Failure::Problem(problem) => problem,
            Failure::Output(error) => Problem::new(Kind::Storage, error.to_string()),
        };
        let status = match problem.kind.exit() {
            _ if problem.kind == Kind::UnknownGame => StatusCode::NOT_FOUND,
            Exit::No => StatusCode::CONFLICT,
            Exit::Usage => StatusCode::BAD_REQUEST,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        (status, Json(json!({ "error": problem.message, "hint": problem.hint }))).into_response()
    }
}

type Answer<T> = Result<Json<T>, Refusal>;

/// A body in JSON; what is wrong with it is told like everything else.
struct Body<T>(T);

impl<S: Send + Sync, T: serde::de::DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: axum::extract::Request, state: &S) -> Result<Self, Refusal> {
        let read: Result<Json<T>, JsonRejection> = Json::from_request(request, state).await;
        read.map(|Json(body)| Self(body)).map_err(|error| Failure::usage(error.body_text()).into())
    }
}

#[derive(Deserialize)]
struct Token {
    token: String,
}

async fn session(State(api): State<Api>, Body(Token { token }): Body<Token>) -> Response {
    match api.guard.admit(&token) {
        Some(cookie) => (StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response(),
        None => StatusCode::FORBIDDEN.into_response(),
    }
}

async fn lobby(State(api): State<Api>) -> Answer<impl Serialize> {
    Ok(Json(api.service.lobby().await?))
}

async fn offer(State(api): State<Api>, Body(wanted): Body<Wanted>) -> Answer<impl Serialize> {
    Ok(Json(api.service.offer(wanted).await?))
}

async fn offered(State(api): State<Api>, Path(name): Path<String>) -> Answer<impl Serialize> {
    Ok(Json(api.service.offered(name).await?))
}

async fn cancel(State(api): State<Api>, Path(name): Path<String>) -> Result<StatusCode, Refusal> {
    api.service.cancel(name).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Joining {
    invite: String,
    name: Option<String>,
}

async fn join(State(api): State<Api>, Body(joining): Body<Joining>) -> Answer<Value> {
    let name = api.service.join(joining.invite, joining.name).await?;
    Ok(Json(json!({ "name": name })))
}

async fn accept(State(api): State<Api>, Path(name): Path<String>) -> Answer<Value> {
    let name = api.service.accept(name).await?;
    Ok(Json(json!({ "name": name })))
}

async fn table(State(api): State<Api>, Path(name): Path<String>) -> Answer<impl Serialize> {
    Ok(Json(api.service.table(name).await?))
}

/// What a person does in a game.
#[derive(Deserialize)]
#[serde(tag = "deed", rename_all = "kebab-case", deny_unknown_fields)]
enum Wanting {
    Act { action: String },
    AcceptDraw,
    IntendDraw { on: bool },
    Resign,
    Abort,
    Claim,
    Confirm,
    Say { text: String },
    Rematch,
}

impl Wanting {
    fn wish(self) -> Result<Wish, Problem> {
        Ok(Wish::Deed(match self {
            Self::Act { action } => return Ok(Wish::Act(action)),
            Self::AcceptDraw => Deed::AcceptDraw,
            Self::IntendDraw { on } => Deed::IntendDraw(on),
            Self::Resign => Deed::Resign,
            Self::Abort => Deed::Abort,
            Self::Claim => Deed::Claim,
            Self::Confirm => Deed::Confirm,
            Self::Say { text } => Deed::Say(said(&text)?),
            Self::Rematch => Deed::Rematch,
        }))
    }
}

fn said(text: &str) -> Result<NoteText, Problem> {
    chat::parse(text.trim_end())
}

async fn carry_out(
    State(api): State<Api>,
    Path(name): Path<String>,
    Body(wanting): Body<Wanting>,
) -> Answer<impl Serialize> {
    Ok(Json(api.service.carry_out(name, wanting.wish()?).await?))
}

#[derive(Deserialize)]
struct OfAction {
    action: String,
}

async fn odds_of(
    State(api): State<Api>,
    Path(name): Path<String>,
    Query(asked): Query<OfAction>,
) -> Answer<Value> {
    let (game, action) = api.service.position(name, asked.action).await?;
    Ok(Json(api.count(move || chart(&game, &action)).await??))
}

fn chart(game: &Game, action: &Action) -> Result<Value, Problem> {
    let bars = odds::chart(game, action).map_err(|error| not_listed(&error))?;
    let bars: Vec<Value> = bars
        .into_iter()
        .map(|bar| json!({ "share": bar.share, "words": bar.words, "outcomes": bar.outcomes }))
        .collect();
    let title = action_words(&game.view(None, None).board, action);
    Ok(json!({ "title": title, "bars": bars }))
}

async fn luck(State(api): State<Api>) -> Answer<Value> {
    let results = api.service.luck(None).await?;
    Ok(Json(api.count(move || luck_object(&results)).await?))
}

async fn luck_of(State(api): State<Api>, Path(name): Path<String>) -> Answer<Value> {
    let results = api.service.luck(Some(name)).await?;
    Ok(Json(api.count(move || luck_object(&results)).await?))
}

fn luck_object(results: &Results) -> Value {
    let sides = results.groups().into_iter().flat_map(|(who, groups)| {
        groups.into_iter().map(move |group| {
            let mut object = json!(group);
            object["who"] = json!(who);
            object
        })
    });
    json!({ "games": results.games, "draws": results.draws(), "groups": sides.collect::<Vec<_>>() })
}

async fn transcript(State(api): State<Api>, Path(name): Path<String>) -> Result<Response, Refusal> {
    let text = api.service.transcript(name).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        // The page names the file after the game.
        (header::CONTENT_DISPOSITION, "attachment"),
    ];
    Ok((headers, text).into_response())
}

async fn rules(Path(variant): Path<String>) -> Answer<Value> {
    let variant: Variant = variant.parse().map_err(|error| Failure::usage(format!("{error}")))?;
    Ok(Json(json!({ "text": pages::page(variant) })))
}

async fn events(State(api): State<Api>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let stream = stream::unfold(api.service.news(), |mut news| async move {
        let told = match news.recv().await {
            Ok(told) => told,
            // Too much at once: everything is read again.
            Err(broadcast::error::RecvError::Lagged(_)) => Told { game: None, words: None },
            Err(broadcast::error::RecvError::Closed) => return None,
        };
        Some((Ok(event(&told)), news))
    });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(KEEP_ALIVE))
}

fn event(told: &Told) -> Event {
    let name = if told.words.is_some() { "told" } else { "changed" };
    Event::default().event(name).data(json!(told).to_string())
}

impl Api {
    /// Counts on a thread of its own: there may be many outcomes.
    async fn count<T: Send + 'static>(
        &self,
        count: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let failed = |_| Refusal(Problem::new(Kind::Storage, "the count was broken off").into());
        let permit = Arc::clone(&self.counts)
            .acquire_owned()
            .await
            .map_err(|_| Refusal(Problem::new(Kind::Storage, "the program is stopping").into()))?;
        let counted = tokio::task::spawn_blocking(move || {
            let counted = count();
            drop(permit);
            counted
        });
        counted.await.map_err(failed)
    }
}
