import { z } from 'zod'
import { defineTool } from '../tool.ts'

export const snapshot = defineTool({
  name: 'snapshot',
  description: 'Looks at the page anew, or at another part of a long one.',
  fields: { part: z.int().min(1).max(100).default(1) },
  acts: true,
  describe: (fields) => (fields.part === 1 ? '' : `part ${fields.part}`),
  async run(scene, { part }) {
    scene.showPart(part)
    return { outcome: 'Looked.' }
  },
})
