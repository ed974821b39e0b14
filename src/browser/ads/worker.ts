import { parentPort, workerData } from 'node:worker_threads'
import { type ListFiles, serialisedEngine } from './lists.ts'

// The thread is started by engine.ts alone, which hands over exactly this.
const built = await serialisedEngine(workerData as ListFiles)
parentPort?.postMessage(built, [built.bytes.buffer])
