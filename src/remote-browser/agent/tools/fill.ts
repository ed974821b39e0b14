import type { ElementHandle, Frame } from 'playwright-core'
import { z } from 'zod'
import { defineTool, Refusal, ref, type Scene } from '../tool.ts'

export const fill = defineTool({
  name: 'fill',
  description: 'Types text into a field, in place of what stands there.',
  fields: {
    ref,
    text: z.string().max(20_000),
    submit: z.boolean().optional().describe('Press Enter afterwards.'),
  },
  acts: true,
  describe: (fields) =>
    `${fields.ref} with ${JSON.stringify(fields.text)}${fields.submit ? ', submitted' : ''}`,
  async run(scene, { ref, text, submit }) {
    const field = scene.element(ref)
    const handle = await field.elementHandle({ timeout: scene.timeoutMs })
    const isPassword = await handle.evaluate(
      (found) => found instanceof HTMLInputElement && found.type === 'password',
    )
    if (isPassword) scene.secrets.add(text)
    if (isPassword || scene.secrets.isIn(text)) await mustBelong(scene, handle, text)
    await field.fill(text, { timeout: scene.timeoutMs })
    if (submit) await field.press('Enter', { timeout: scene.timeoutMs })
    return { outcome: submit ? 'Typed and submitted.' : 'Typed.' }
  },
})

/** Secrets are only typed on the sites of the task, and not into a frame of another site either. */
async function mustBelong(
  { allowedSites, secretSites, page }: Scene,
  handle: ElementHandle,
  text: string,
): Promise<void> {
  let frame: Frame | null = await handle.ownerFrame()
  // A frame without its own URL belongs to the page that created it.
  while (frame?.parentFrame() && frame.url().startsWith('about:')) frame = frame.parentFrame()
  const places = [frame?.url() ?? '', page.url()]
  const refusal = places.map((place) => secretSites.refusal(text, place)).find((why) => why !== undefined)
  if (refusal !== undefined) throw new Refusal(refusal)
  if (places.every((place) => allowedSites.holds(place))) return
  throw new Refusal(
    'Passwords and personal details are not typed here: this is no site of the task. If the user wants it, they name the site; finish with done and say so.',
  )
}
