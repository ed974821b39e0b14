import { z } from 'zod'
import { defineTool } from '../tool.ts'

/** Ends the task; the loop reads the answer from the call and never runs it. */
export const done = defineTool({
  name: 'done',
  description: 'Ends the task with the answer for the user.',
  fields: { answer: z.string().min(1).max(100_000) },
  acts: false,
  run: async (_, { answer }) => ({ outcome: answer }),
})
