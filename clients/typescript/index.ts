// The client: the paths and types of `schema.d.ts`, which is generated, under openapi-fetch, which sends requests.
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

/** Every type of the interface, by its name in the document: `Schemas["MatchDocument"]`. */
export type Schemas = components["schemas"];

/** A client of one server; with a token, of one player. */
export const telar = (baseUrl: string, token?: string) =>
  createClient<paths, "application/json" | "application/problem+json">({
    baseUrl,
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
  });

/** What came of a request, or else an error with what the server says about it. */
export async function expect<T>(answer: Promise<{ data?: T; error?: Schemas["Problem"] }>): Promise<T> {
  const { data, error } = await answer;
  if (data === undefined) throw new Error(error ? `${error.code}: ${error.detail}` : "no answer");
  return data;
}
