import { parentPort, workerData } from 'node:worker_threads'
import { type ListFiles, serialisedEngine } from './lists.ts'

// Only engine.ts starts this thread, with data of this type.
const built = await serialisedEngine(workerData as ListFiles)
parentPort?.postMessage(built, [built.bytes.buffer])
