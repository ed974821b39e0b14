import { z } from 'zod'
import { defineTool, ref } from '../tool.ts'

export const click = defineTool({
  name: 'click',
  description: 'Clicks an element: a link, a button, a box to tick.',
  fields: {
    ref,
    acceptDialog: z
      .boolean()
      .optional()
      .describe(
        'Accept the question box that this click brings up. Without it, such a question is declined.',
      ),
  },
  acts: true,
  describe: (fields) => fields.ref,
  async run(scene, fields) {
    scene.acceptDialogs(fields.acceptDialog ?? false)
    await scene.element(fields.ref).click({ timeout: scene.timeoutMs })
    return { outcome: 'Clicked.' }
  },
})
