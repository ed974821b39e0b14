import { describe, expect, it } from 'vitest'
import { entities, type RedactionMode } from './pii-match.ts'
import { type Redaction, redact, shiftPositions } from './redact.ts'

const all: Redaction = { mode: 'accurate', entities, replaceStyle: 'tag' }
const redactedText = (text: string, mode: RedactionMode = 'accurate') => redact(text, { ...all, mode }).text

/** Concatenated, so that secret scanners find no secret in this file. */
const secret = (start: string, length: number) => start + 'a1B2c3D4'.repeat(40).slice(0, length)

describe('redact', () => {
  it.each([
    ['Write to ann.lee+news@mail.example.org today.', 'Write to <EMAIL> today.'],
    ['[Ann](mailto:ann@example.org?subject=x)', '[Ann](mailto:<EMAIL>?subject=x)'],
    ['| first\\_last@example.co.uk |', '| <EMAIL> |'],
    ['<jürgen@bücher.example>, **x@y.de**', '<<EMAIL>>, **<EMAIL>**'],
    ['Call +49 (0)30 1234567 or +1 212-555-0187.', 'Call <PHONE> or <PHONE>.'],
    ['(212) 555-0187 and 212.555.0187', '<PHONE> and <PHONE>'],
    ['Tel.: 030/1234567, Fax 030 7654321', 'Tel.: <PHONE>, Fax <PHONE>'],
    ['01 23 45 67 89, 020 7946 0958', '<PHONE>, <PHONE>'],
    ['[us](tel:+3120555123)', '[us](tel:<PHONE>)'],
    ['电话：0755 8888 6666', '电话：<PHONE>'],
    ['Card 4111 1111 1111 1111, 3782 822463 10005', 'Card <FINANCIAL>, <FINANCIAL>'],
    ['DE89 3704 0044 0532 0130 00 (BIC X)', '<FINANCIAL> (BIC X)'],
    ['gb29NWBK60161331926819.', '<FINANCIAL>.'],
    ['10.1.2.3, 2001:db8:85a3::8a2e:370:7334, 00:1B:44:11:3A:B7', '<LOCATION>, <LOCATION>, <LOCATION>'],
    ['https://ann:hunter2@host.example/a', 'https://<SECRET>@host.example/a'],
  ])('redacts %j', (text, expected) => {
    expect(redactedText(text)).toBe(expected)
  })

  it.each([
    ['US SSN', '078-05-1120', '000-05-1120'],
    ['UK NINO', 'AB 12 34 56 C', 'BG 12 34 56 C'],
    ['FR NIR', '2 55 08 14 168 025 38', '2 55 08 14 168 025 39'],
    ['ES DNI', '12345678Z', '12345678A'],
    ['ES NIE', 'X1234567L', 'X1234567M'],
    ['IT codice fiscale', 'RSSMRA85T10A562S', 'RSSMRA85T10A562T'],
    ['DE Steuer-ID', 'IdNr. 86 095 742 719', 'IdNr. 86 095 742 718'],
    ['NL BSN', 'BSN 111222333', 'BSN 111222334'],
    ['SE personnummer', '811228-9874', '811228-9875'],
    ['PL PESEL', 'PESEL 44051401359', 'PESEL 44051401358'],
    ['BR CPF', '529.982.247-25', '529.982.247-26'],
    ['BR CPF without signs', 'CPF: 52998224725', 'CPF: 52998224726'],
    ['IN Aadhaar', '2341 2341 2346', '2341 2341 2347'],
    ['CH AHV', '756.9217.0769.85', '756.9217.0769.86'],
    ['BE rijksregisternummer', '85.07.30-033.28', '85.07.30-033.29'],
    ['FI henkilötunnus', '131052-308T', '131052-308U'],
    ['CA SIN', 'SIN 193-456-787', 'SIN 193-456-788'],
    ['a card', '5555-5555-5555-4444', '5555-5555-5555-4445'],
    ['an IBAN', 'NL91 ABNA 0417 1643 00', 'NL91 ABNA 0417 1643 01'],
  ])('redacts %s by its check digit: %s, but not %s', (_, right, wrong) => {
    expect(redactedText(`No ${right}, said`)).toMatch(/^No .{0,12}<FINANCIAL>, said$/)
    expect(redactedText(`No ${wrong}, said`)).not.toContain('<FINANCIAL>')
  })

  it.each([
    secret('ghp_', 36),
    secret('github_pat_', 82),
    `AKIA${'ABCD2345'.repeat(2)}`,
    secret('xoxb-', 40),
    secret('sk_live_', 24),
    secret('AIza', 35),
    secret('sk-proj-', 48),
    secret('sk-ant-api03-', 80),
    secret('hf_', 34),
    secret('npm_', 36),
    `${secret('eyJ', 20)}.${secret('eyJ', 40)}.${secret('', 43)}`,
    `-----BEGIN RSA PRIVATE KEY-----\n${secret('', 64)}\n${secret('', 30)}\n-----END RSA PRIVATE KEY-----`,
    `-----BEGIN PRIVATE KEY-----\n${secret('', 64)}`,
  ])('redacts a secret by its format: %s', (text) => {
    expect(redactedText(`key: "${text}" end`.replace('"', '').replace('"', ''))).toBe('key: <SECRET> end')
  })
})

describe('redact of other text', () => {
  it.each([
    'On 2024-05-17 and 17.05.2024 12:30:45 from 2019 to 2023-2024.',
    '1,234,567.89 and 315.344 votes, 10 000 000 people; π is 3.14159265358979.',
    'ISBN 978-3-16-148410-0, DOI 10.1136/bcr-2019-231237, RFC 2822.',
    'https://site.example/post/185958366550/a?id=4111111111111111#gid=394530314',
    'lamp@2x.png, react@18.2.0, @ann, git@github.com:a/b.git, a @ b',
    'Version 10.0.19041.1, v1.2.3.4, 127.0.0.1, 1.2.3.4.5 and std::vector::size',
    '| 2010 2011 2012 | 1 2 3 4 5 6 7 8 9 10 11 12 13 |',
    'The file begins with -----BEGIN PRIVATE KEY----- and then its lines.',
    'sk-learn, ghp_short, eyJ, AKIA',
  ])('keeps %j', (text) => {
    expect(redactedText(text)).toBe(text)
  })

  it('keeps kinds that were not requested', () => {
    const text = 'a@b.example, +49 30 1234567'
    expect(redact(text, { ...all, entities: ['PHONE'] }).text).toBe('a@b.example, <PHONE>')
    expect(redact(text, { ...all, entities: ['PERSON'] }).text).toBe(text)
  })
})

describe('redaction modes', () => {
  it('require different evidence', () => {
    const namedText = 'Tel. 12 34 56 78, BSN 111222333'
    expect(redactedText(namedText)).toBe('Tel. <PHONE>, BSN <FINANCIAL>')
    expect(redactedText(namedText, 'fast')).toBe(namedText)
    const uncertain = '123 4567 890, 44051401359, ann [at] host dot org, password: hunter22'
    expect(redactedText(uncertain)).toBe(uncertain)
    expect(redactedText(uncertain, 'aggressive')).toBe('<PHONE>, <FINANCIAL>, <EMAIL>, password: <SECRET>')
  })
})

describe('replacement styles', () => {
  const text = 'Write to ann@mail.example now.'
  it.each([
    ['tag', 'Write to <EMAIL> now.'],
    ['mask', 'Write to ████████████████ now.'],
    ['remove', 'Write to now.'],
  ] as const)('replace as style %s requires', (replaceStyle, expected) => {
    expect(redact(text, { ...all, replaceStyle }).text).toBe(expected)
  })

  it('report the new offsets of positions', () => {
    const original = 'a@b.example\n# One\nc@d.example\n# Two'
    const { text, replaced } = redact(original, all)
    const positions = ['# One', '# Two'].map((heading) => ({ at: original.indexOf(heading) }))
    expect(shiftPositions(positions, replaced).map(({ at }) => text.slice(at, at + 5))).toEqual([
      '# One',
      '# Two',
    ])
  })
})
