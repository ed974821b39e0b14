import { z } from 'zod'
import { defineAction } from './action.ts'

export const write = defineAction({
  type: 'write',
  description: 'Types text into the focused element, character by character; click it first.',
  fields: { text: z.string().max(10_000) },
  run: (page, { text }) => page.keyboard.type(text),
})
