import { Socket } from 'node:net'
import type { ToChild } from '../src/platform/child/child.ts'
import { maxFrameBytes, openFrames, parentDescriptor } from '../src/platform/child/frames.ts'

/**
 * Sends back the requested object, whether or not it is a valid reply, because a file that a process reads may
 * compromise it.
 */
const socket = new Socket({ fd: parentDescriptor })
const frames = openFrames(socket, {
  ...{ maxSentBytes: maxFrameBytes, maxReceivedBytes: maxFrameBytes },
  onValue(value) {
    // The test sends requests of this form.
    const { id, request } = value as Extract<ToChild, { request: unknown }>
    frames.send({ id, ...(request as object) })
  },
  onViolation: () => process.exit(1),
})
socket.on('close', () => process.exit())
