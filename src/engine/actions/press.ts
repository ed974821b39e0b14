import { text } from '../../base/bounded.ts'
import { defineAction } from './action.ts'

export const press = defineAction({
  type: 'press',
  description: 'Presses a key, such as Enter or Control+A.',
  isRepeated: true,
  fields: { key: text('MAX_KEY_LENGTH').min(1) },
  example: { key: 'Enter' },
  run: (page, { key }) => page.keyboard.press(key),
})
