import { parentPort } from 'node:worker_threads'
import { AppError } from '../base/errors.ts'
import { buffersIn } from './carry.ts'
import type { ThreadAnswer, ThreadOrder } from './messages.ts'
import { orderKinds } from './orders/all.ts'
import type { Done } from './orders/order-kind.ts'

async function work(order: ThreadOrder): Promise<Done> {
  const { run } = await orderKinds[order.kind].load()
  // The list has the module of each kind under the name of the kind.
  return run(order as never)
}

function send(answer: ThreadAnswer): void {
  parentPort?.postMessage(answer, buffersIn(answer))
}

function failed(problem: unknown): ThreadAnswer {
  return problem instanceof AppError ? { refused: problem.toStored() } : { problem }
}

async function fulfil(order: ThreadOrder): Promise<void> {
  try {
    const { done, afterwards } = await work(order)
    send({ done })
    try {
      afterwards?.()
    } catch {
      // The page can be scraped, if not searched.
    }
  } catch (problem) {
    send(failed(problem))
  } finally {
    if (order.kind === 'read') order.later?.close()
  }
}

// The next order comes when this one is answered.
parentPort?.on('message', (order: ThreadOrder) => void fulfil(order))
