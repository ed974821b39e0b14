import { z } from 'zod'
import { defineTool, ref } from '../tool.ts'

const keys = [
  ...['Enter', 'Tab', 'Escape', 'Space', 'Backspace', 'Delete', 'Home', 'End', 'PageUp', 'PageDown'],
  ...['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Shift+Tab', 'Control+A'],
] as const

export const press = defineTool({
  name: 'press',
  description: 'Presses a key, in an element or where the focus is.',
  // Only keys that move or select: text must use fill, which checks its target.
  fields: { key: z.enum(keys), ref: ref.optional() },
  acts: true,
  describe: (fields) => (fields.ref === undefined ? fields.key : `${fields.key} in ${fields.ref}`),
  async run(scene, { key, ref }) {
    if (ref === undefined) await scene.page.keyboard.press(key)
    else await scene.element(ref).press(key, { timeout: scene.timeoutMs })
    return { outcome: `Pressed ${key}.` }
  },
})
