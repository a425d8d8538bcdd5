// The client: openapi-fetch with the paths and types of the generated `schema.d.ts`.
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

/** All types of the API by their names in the OpenAPI document, for example `Schemas["MatchDocument"]`. */
export type Schemas = components["schemas"];

/** A client for one server and, with a token, for one player. */
export const telar = (baseUrl: string, token?: string) =>
  createClient<paths, "application/json" | "application/problem+json">({
    baseUrl,
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
  });

/** Returns the result of a request, or throws the error from the server. */
export async function expect<T>(answer: Promise<{ data?: T; error?: Schemas["Problem"] }>): Promise<T> {
  const { data, error } = await answer;
  if (data === undefined) throw new Error(error ? `${error.code}: ${error.detail}` : "no answer");
  return data;
}
