/**
 * The servers of a `DATABASE_URL`, each as a connection string of its own:
 * `postgres://user:secret@one:5432,two:5432/hiram` names two servers of a cluster.
 * Throws an error of one line that does not repeat the address, because it holds a password.
 */
export function serversOf(databaseUrl: string): string[] {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/.exec(databaseUrl.trim());
  if (!parts) throw new Error('DATABASE_URL must look like postgres://user:password@host:5432/database');
  const [, front, hosts = '', back] = parts;
  return hosts.split(',').map((host) => `${front}${host.trim()}${back}`);
}
