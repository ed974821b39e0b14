import { Socket } from 'node:net'
import type { ToChild } from '../src/platform/child/child.ts'
import { maxFrameBytes, openFrames, parentDescriptor } from '../src/platform/child/frames.ts'

/** Sends back what it is asked to, whether or not it is a reply: a process may be taken over by the file that it reads. */
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
