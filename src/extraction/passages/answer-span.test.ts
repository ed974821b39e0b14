import { describe, expect, it } from 'vitest'
import { answerSpan } from './answer-span.ts'

describe('answerSpan', () => {
  it.each([
    ['When was Scotland invaded?', 'William invaded Scotland in 1072.', '1072'],
    ['When does it open?', 'The harbour opens on 3 May 2024 at noon.', '3 May 2024'],
    ['When was he born?', 'He was born on July 4, 1776, in Ghent.', 'July 4, 1776'],
    ['Wann wurde die Mauer geöffnet?', 'Die Mauer wurde am 9. November 1989 geöffnet.', '9. November 1989'],
    ['Quand est-il né ?', 'Il est né le 5 juin 1950 à Paris.', '5 juin 1950'],
    ['いつ開きますか', '港は2024年5月3日に開きます。', '2024年5月3日'],
    ['What year did it sink?', 'It sank in 1912 after two hours.', '1912'],
    ['How many boats are there?', 'In 1990 there were 25 boats.', '25'],
    ['How many volumes does it have?', 'It has over 18 million volumes.', '18 million'],
    ['What percentage is water?', 'About 71 percent is water.', '71 percent'],
    ['How much is the blue mug?', 'The mug is $12.50 now.', '$12.50'],
    ['Was kostet die Tasse?', 'Die Tasse kostet 12,50 € im Laden.', '12,50 €'],
    ['What is the e-mail address?', 'Write to office@harbour.example today.', 'office@harbour.example'],
    ['What is the phone number?', 'Call +32 59 12 34 56 before noon.', '+32 59 12 34 56'],
  ])('returns the answer to: %s', (question, sentence, answer) => {
    expect(answerSpan(question, sentence)).toBe(answer)
  })

  it.each([
    ['there are two', 'When was it built?', 'It was begun in 1901 and opened in 1905.'],
    ['the question names it', 'When after 1072 was peace made?', 'Peace was made after 1072.'],
    ['the sentence has none', 'When was it built?', 'It was built long ago.'],
    ['nothing with a shape is asked for', 'Why was it built in 1901?', 'It was built for boats.'],
  ])('returns undefined if %s', (_, question, sentence) => {
    expect(answerSpan(question, sentence)).toBeUndefined()
  })

  it('accepts hostile texts', () => {
    for (const part of ['1', '1,', '1 ', '+1', 'a@', '.1', 'May ', '$1 '])
      for (const question of [
        'When?',
        'How many?',
        'How much is it?',
        'e-mail',
        'phone number',
        'What percentage?',
      ])
        expect(() => answerSpan(question, part.repeat(500))).not.toThrow()
  })
})
