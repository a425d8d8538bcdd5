// A bot that makes random legal moves: `npm run bot GAME` creates a match, `npm run bot GAME MATCH` joins one.
import { expect, telar, type Schemas } from "../../clients/typescript/index.js";

const [game, join] = process.argv.slice(2);
const url = process.env["TELAR_URL"] ?? "http://127.0.0.1:8080";
if (game === undefined) {
  const { games } = await expect(telar(url).GET("/v1/games"));
  throw new Error(`which game? ${games.map(({ key }) => key).join(", ")}`);
}

// Use the token in TELAR_TOKEN, or sign in as a guest.
const guest = async () => expect(telar(url).POST("/v1/guests", { body: { name: "TypeScript bot" } }));
const api = telar(url, process.env["TELAR_TOKEN"] ?? (await guest()).access_token);

// Take a seat in the given match, or in a new one with as few seats as the game allows.
async function sit(): Promise<Schemas["MatchDocument"]> {
  if (join !== undefined) {
    return expect(api.POST("/v1/matches/{id}/seats", { params: { path: { id: join } }, body: {} }));
  }
  const { min_seats } = await expect(api.GET("/v1/games/{game}", { params: { path: { game: game! } } }));
  return expect(api.POST("/v1/matches", { body: { game: game!, seats: min_seats } }));
}

// Picks any move, but prefers to claim designs: Ettana would never end without claims.
function choose(moves: Schemas["AnyMove"][]): Schemas["AnyMove"] {
  const winning = moves.find((move) => move.type === "claim" || move.type === "buy_design");
  return winning ?? moves[Math.floor(Math.random() * moves.length)]!;
}

const { id } = await sit();
console.log(`match ${id}`);
const path = { id };
for (;;) {
  const legal = await expect(api.GET("/v1/matches/{id}/legal-moves", { params: { path } }));
  if (legal.status !== "open" && legal.status !== "playing") break;
  if (legal.moves.length > 0) {
    // If the position has changed in the meantime, the server answers 412 and we look again.
    const params = { path, header: { "If-Match": `"${legal.version}"` } };
    const body = { move: choose(legal.moves.map((listed) => listed.move)) };
    const { error } = await api.POST("/v1/matches/{id}/moves", { params, body });
    if (error !== undefined && error.status !== 412) throw new Error(`${error.code}: ${error.detail}`);
  } else {
    // Nothing to do: wait for the next event.
    const params = { path, query: { after: legal.version, wait: 60, limit: 1 } };
    await expect(api.GET("/v1/matches/{id}/events", { params }));
  }
}

const { my_seat, outcome } = await expect(api.GET("/v1/matches/{id}", { params: { path } }));
outcome?.seats.forEach(({ place, score }, seat) => {
  console.log(`seat ${seat}${seat === my_seat ? " (me)" : ""}: place ${place}, score ${score ?? "none"}`);
});
