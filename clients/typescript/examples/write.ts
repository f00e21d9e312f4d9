import { setTimeout } from "node:timers/promises";

import { contentgen, dataOf } from "../src/index.js";

const client = contentgen(process.env.SERVICE_URL!, process.env.API_KEY!);
const topic = "Choosing a heat pump for an older house";

const outcome = dataOf(
  await client.POST("/writer/generate-plan", { body: { agentKey: "home-energy-GB", topic, articleLength: "short" } }),
);
if (outcome.type !== "plan") throw new Error(outcome.message);
console.log(outcome.plan.title);

const id = outcome.articleId;
dataOf(await client.POST("/writer/generate-from-plan", { body: { articleId: id, plan: outcome.plan } }));
for (;;) {
  const following = await client.GET("/writer/generation-status/{articleId}", { params: { path: { articleId: id } } });
  const { status, article } = dataOf(following);
  if (status === "failed") throw new Error(article.error);
  if (status !== "generating") break;
  await setTimeout(1000);
}

const article = dataOf(await client.GET("/writer/{id}", { params: { path: { id } } }));
console.log(`${article.wordCount} words, ${article.sources?.length} sources, grounding ${article.grounding?.level}`);
