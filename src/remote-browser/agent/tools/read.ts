import { defineTool, ref } from '../tool.ts'

const limit = 20_000

export const read = defineTool({
  name: 'read',
  description: 'Reads the whole text of a part of the page, or of the page.',
  fields: { ref: ref.optional() },
  acts: false,
  describe: (fields) => fields.ref ?? 'the page',
  async run(scene, { ref }) {
    const part = ref === undefined ? scene.page.locator('body') : scene.element(ref)
    // biome-ignore lint/performance/useDomNodeTextContent: what nobody sees is not read
    const text = await part.innerText({ timeout: scene.timeoutMs })
    const note =
      text.length > limit ? ` The first ${limit} of ${text.length} characters; read smaller parts.` : ''
    return { outcome: `Read.${note}`, pageText: text.slice(0, limit) }
  },
})
