/** The parts that metrics read, of a server at which nothing happens. */
export const idleParts = {
  passwords: { load: () => ({ running: 0, waiting: 0 }) },
  database: { load: () => ({ inUse: 0, waiting: 0, statements: 0, statementMs: 0 }) },
  books: {
    sealAgeSeconds: async () => 60,
    backupAgeSeconds: async () => Number.NaN,
    replicaLags: async () => [{ replica: 'second', bytes: 1024, seconds: 0.5 }],
  },
};
