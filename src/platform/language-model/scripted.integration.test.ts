import { describe, expect, it } from 'vitest'
import { languageModelContract } from '../../../test/contracts/language-model.ts'
import type { Message } from '../ports/language-model.ts'
import { scriptedModel } from './scripted.ts'

const signal = AbortSignal.timeout(60_000)

describe('scripted model', () => {
  languageModelContract((turns) => scriptedModel([{ turns }]))

  it('plays the script that fits the first message', async () => {
    const model = scriptedModel([
      { when: 'ships', turns: [{ text: 'Three.' }] },
      { when: 'trains', turns: [{ text: 'None.' }] },
    ])
    expect((await model.write({ system: '', text: 'How many trains?' }, signal)).text).toBe('None.')
  })

  it('fills in what the conversation holds', async () => {
    const model = scriptedModel([{ turns: [{ text: 'It costs {{price (\\d+)}}.' }] }])
    const messages: Message[] = [
      { role: 'user', text: 'price 1' },
      { role: 'user', text: 'the price 49 of today' },
    ]
    expect((await model.step({ system: '', messages, tools: [] }, signal)).text).toBe('It costs 49.')
  })

  it('ends too soon, or refuses to answer', async () => {
    const cut = scriptedModel([{ turns: [[{ text: 'In the', isCut: true }, { text: 'South.' }]] }])
    expect((await cut.write({ system: '', text: 'x' }, signal)).text).toBe('South.')
    const refusing = scriptedModel([{ turns: [{ refuses: 'not that' }] }])
    await expect(refusing.write({ system: '', text: 'x' }, signal)).rejects.toMatchObject({
      detail: { reason: 'the model refused to answer: not that' },
    })
  })

  it('says nothing until the caller gives up', async () => {
    const leaving = new AbortController()
    const writing = scriptedModel([{ turns: [{ isSilent: true }] }]).write(
      { system: '', text: 'x' },
      leaving.signal,
    )
    leaving.abort(new Error('enough'))
    await expect(writing).rejects.toThrow('enough')
  })

  it('fails where no script fits', async () => {
    const model = scriptedModel([{ when: 'ships', turns: [{ text: 'x' }] }])
    await expect(model.write({ system: '', text: 'trains' }, signal)).rejects.toMatchObject({
      code: 'MODEL_FAILED',
    })
  })
})
