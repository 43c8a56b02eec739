import { setTimeout as sleep } from 'node:timers/promises';
import { type BuiltServer, type BuiltServerOptions, startBuiltServer } from '#tests/setup/built-server.ts';

/** A server that can be killed and started again at the same address. */
export type KillableServer = {
  readonly origin: string;
  readonly pid: number;
  kill(): Promise<void>;
  /** `buildDir` is another build, to upgrade to. */
  start(buildDir?: string): Promise<void>;
  stop(): Promise<number | null>;
};

export async function startKillableServer(options: BuiltServerOptions): Promise<KillableServer> {
  let server: BuiltServer = await startBuiltServer(options);
  const { origin, port } = server;
  return {
    origin,
    get pid() {
      return server.pid;
    },
    async kill() {
      process.kill(server.pid, 'SIGKILL');
      // Its death is told like any other end.
      await server.stop();
    },
    async start(buildDir) {
      server = await startBuiltServer({ ...options, port, buildDir });
    },
    stop: () => server.stop(),
  };
}

/** A moment somewhere in the middle of the load. */
export const someTime = (): Promise<void> => sleep(150 + Math.random() * 450);
