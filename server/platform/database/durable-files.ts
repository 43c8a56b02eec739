import fs from 'node:fs';
import path from 'node:path';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** The part of Emscripten's file layer that is reached into. */
type Stream = { nfd?: number; node: object };
type FileLayer = {
  realPath(node: object): string;
  stream_ops: { fsync?: (stream: Stream) => number };
};

/** Emscripten's number for EIO; PostgreSQL stops when a flush of its log fails with it. */
const ioError = 29;

/** Files whose `fsync` reaches the disk: PGlite's own layer answers that it did, and does nothing. */
export class DurableFiles extends NodeFS {
  override async init(...[engine, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const initialised = await super.init(engine, options);
    initialised.emscriptenOpts.preRun?.push((module) => {
      const layer = module.NODEFS as unknown as FileLayer;
      layer.stream_ops.fsync = (stream) => flush(layer, stream);
    });
    return initialised;
  }
}

function flush(layer: FileLayer, stream: Stream): number {
  try {
    if (stream.nfd === undefined) fsyncPath(layer.realPath(stream.node));
    else fs.fsyncSync(stream.nfd);
    return 0;
  } catch {
    return ioError;
  }
}

/** Flushes a file, or the names in a directory. */
export function fsyncPath(file: string): void {
  const descriptor = fs.openSync(file, 'r');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Flushes everything under a directory, and the directory. */
export function fsyncTree(directory: string): void {
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    const inner = path.join(directory, entry.name);
    if (entry.isDirectory()) fsyncTree(inner);
    else fsyncPath(inner);
  }
  fsyncPath(directory);
}
