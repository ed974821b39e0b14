import { z } from 'zod'
import { defineTool, ref } from '../tool.ts'

export const scroll = defineTool({
  name: 'scroll',
  description:
    'Scrolls by one screen, or an element into view. The outline holds the whole page: scroll to load more.',
  fields: { direction: z.enum(['up', 'down']).default('down'), ref: ref.optional() },
  acts: true,
  describe: (fields) => fields.ref ?? fields.direction,
  async run(scene, { direction, ref }) {
    if (ref === undefined)
      await scene.page.evaluate((way) => scrollBy(0, way * innerHeight), direction === 'up' ? -1 : 1)
    else await scene.element(ref).scrollIntoViewIfNeeded({ timeout: scene.timeoutMs })
    return { outcome: 'Scrolled.' }
  },
})
