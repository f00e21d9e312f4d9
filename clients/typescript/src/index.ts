/** A client of Contentgen: every operation of its OpenAPI document, by method and path, with the types of both ways. */
import createClient, { type Client } from "openapi-fetch";

import type { components, paths } from "./schema.js";

/** The types of what the operations read and answer, by name: `Schemas["Article"]`. */
export type Schemas = components["schemas"];
export type ContentgenClient = Client<paths>;

/** A client with an API key. `baseUrl`: where the service answers. */
export function contentgen(baseUrl: string, apiKey: string): ContentgenClient {
  return createClient<paths>({ baseUrl, headers: { "X-API-Key": apiKey } });
}

/** What an operation refused or failed with: the answer's problem (RFC 9457). */
export class ContentgenError extends Error {
  constructor(readonly problem: Schemas["Error"]) {
    super(problem.detail ?? problem.title);
    this.name = "ContentgenError";
  }
}

/** The data of an answer. Throws ContentgenError for any other. */
export function dataOf<T>(answer: { data?: T; error?: Schemas["Error"] }): T {
  if (answer.error !== undefined) throw new ContentgenError(answer.error);
  if (answer.data === undefined) throw new Error("The answer has no content.");
  return answer.data;
}
