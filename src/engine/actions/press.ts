import { z } from 'zod'
import { defineAction } from './action.ts'

export const press = defineAction({
  type: 'press',
  description: 'Presses a key, such as Enter or Control+A.',
  fields: { key: z.string().min(1).max(100) },
  run: (page, { key }) => page.keyboard.press(key),
})
