import { testServer } from '#tests/setup/test-server.ts';
import { standInBrowser } from './browser-stand-in.ts';

/** The real server, listening, and the browser whose pages come from it. Call it at the top of the file. */
export async function pageServer() {
  const server = await testServer();
  const browser = standInBrowser(await server.app.listen({ host: '127.0.0.1', port: 0 }));
  return { server, browser };
}
