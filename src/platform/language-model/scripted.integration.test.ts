import { describe, expect, it } from 'vitest'
import { languageModelContract } from '../../../test/contracts/language-model.ts'
import type { Message } from '../ports/language-model.ts'
import { scriptedModel } from './scripted.ts'

const signal = AbortSignal.timeout(60_000)

describe('scriptedModel', () => {
  languageModelContract((turns) => scriptedModel([{ turns }]))

  it('plays the script that matches the first message', async () => {
    const model = scriptedModel([
      { when: 'ships', turns: [{ text: 'Three.' }] },
      { when: 'trains', turns: [{ text: 'None.' }] },
    ])
    expect((await model.write({ system: '', text: 'How many trains?' }, signal)).text).toBe('None.')
  })

  it('replaces a pattern by its match in the conversation', async () => {
    const model = scriptedModel([{ turns: [{ text: 'It costs {{price (\\d+)}}.' }] }])
    const messages: Message[] = [
      { role: 'user', text: 'price 1' },
      { role: 'user', text: 'the price 49 of today' },
    ]
    expect((await model.step({ system: '', messages, tools: [] }, signal)).text).toBe('It costs 49.')
  })

  it('plays an answer that is cut off, and a refusal', async () => {
    const cut = scriptedModel([{ turns: [[{ text: 'In the', isCut: true }, { text: 'South.' }]] }])
    expect((await cut.write({ system: '', text: 'x' }, signal)).text).toBe('South.')
    const refusing = scriptedModel([{ turns: [{ refuses: 'not that' }] }])
    await expect(refusing.write({ system: '', text: 'x' }, signal)).rejects.toMatchObject({
      detail: { reason: 'the model refused to answer: not that' },
    })
  })

  it('plays a silent turn until the caller aborts', async () => {
    const abortController = new AbortController()
    const pending = scriptedModel([{ turns: [{ isSilent: true }] }]).write(
      { system: '', text: 'x' },
      abortController.signal,
    )
    abortController.abort(new Error('enough'))
    await expect(pending).rejects.toThrow('enough')
  })

  it('fails with MODEL_FAILED if no script matches', async () => {
    const model = scriptedModel([{ when: 'ships', turns: [{ text: 'x' }] }])
    await expect(model.write({ system: '', text: 'trains' }, signal)).rejects.toMatchObject({
      code: 'MODEL_FAILED',
    })
  })
})
