import * as api from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { apiPage } from './api-page.ts';
import { openApiOf } from './openapi.ts';
import type { Bind } from './route.ts';

/** The API document and the page of it (§api-document), both made once from the endpoint table. */
export function bindOpenApiRoutes(route: Bind): void {
  const document = openApiOf(api as unknown as Record<string, Endpoint>);
  const page = apiPage(document);

  route(api.readOpenApi, async () => document);

  route(api.readApiPage, async () => ({ contentType: 'text/html; charset=utf-8', body: page }));
}
