/** Lets the event loop do other work before a long loop goes on. It is no input or output, so content may use it. */
export { setImmediate as nextTurn } from 'node:timers/promises'
