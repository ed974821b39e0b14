import { z } from 'zod'
import { defineTool, ref } from '../tool.ts'

export const select = defineTool({
  name: 'select',
  description: 'Chooses options of a list, by the text they show.',
  fields: { ref, options: z.array(z.string().max(1000)).min(1).max(100) },
  acts: true,
  describe: (fields) => `${fields.ref}: ${fields.options.map((option) => JSON.stringify(option)).join(', ')}`,
  async run(scene, { ref, options }) {
    await scene.element(ref).selectOption(options, { timeout: scene.timeoutMs })
    return { outcome: 'Chosen.' }
  },
})
