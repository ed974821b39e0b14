import { text as typed } from '../../base/bounded.ts'
import { defineAction } from './action.ts'

export const write = defineAction({
  type: 'write',
  description: 'Types text into the focused element, character by character; click it first.',
  isRepeated: true,
  fields: { text: typed('MAX_TEXT_LENGTH') },
  example: { text: 'Harbour' },
  run: (page, { text }) => page.keyboard.type(text),
})
