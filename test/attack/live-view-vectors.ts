/** Messages to a live view that no real viewer sends. */
const mouse = (changes: object) => JSON.stringify({ type: 'mouse', action: 'move', x: 10, y: 10, ...changes })
const key = (changes: object) => JSON.stringify({ type: 'key', action: 'down', key: 'a', ...changes })
const mouseAt = (x: string) => `{"type":"mouse","action":"down","x":${x},"y":10}`

/** Invalid inputs. The service must ignore them or close the connection. */
const malformed = [
  ...['', ' ', 'null', 'true', '0', '"mouse"', '[]', '{}', '{', '\u0000', 'undefined', '\ufeff{}'],
  ...['[', '{"a":'].map((text) => text.repeat(18_000)),
  '{"type":"__proto__"}',
  '{"type":"constructor"}',
  '{"__proto__":{"type":"reload"}}',
  '{"type":{"toString":"reload"}}',
  '{"type":["reload"]}',
  '{"type":"reload","type":"nothing"}',
  ...['NaN', 'Infinity', '1e308', '-1e308', '1e400', '-101', '20001', 'null', '"1"', '[1]', '{}'].map(
    mouseAt,
  ),
  mouse({ buttons: 32 }),
  mouse({ clicks: 1e9 }),
  mouse({ button: 'all' }),
  mouse({ deltaY: 1e308, action: 'wheel' }),
  mouse({ modifiers: -1 }),
  mouse({ sessionId: 'other' }),
  key({ key: 'x'.repeat(41) }),
  key({ keyCode: 256 }),
  key({ location: 1.5 }),
  key({ commands: ['selectAll'] }),
  JSON.stringify({ type: 'text', text: '' }),
  JSON.stringify({ type: 'text', text: 'x'.repeat(20_001) }),
  JSON.stringify({ type: 'touch', action: 'start', points: Array(11).fill({ x: 1, y: 1, id: 1 }) }),
  JSON.stringify({ type: 'navigate', url: 'x'.repeat(8001) }),
  JSON.stringify({ type: 'switch-tab', id: { $ne: '' } }),
]

/** Valid inputs with values that the browser must reject or handle without harm. */
const unusual = [
  ...['file:///etc/passwd', 'javascript:alert(1)', 'chrome://crash', 'chrome://kill', 'data:text/html,x'].map(
    toUrl,
  ),
  ...[
    'about:blank#\u0000',
    'view-source:http://a',
    'http://\ud800/',
    'http://a%zz@b/',
    '\u0000',
    '//',
    ':',
  ].map(toUrl),
  ...['\u0000', '\u001b[2J', 'NoSuchKey', '\ud800', '\u202e', '🙂', ''].map((name) =>
    key({ key: name, code: name, text: name }),
  ),
  key({ isRepeat: true, modifiers: 15, keyCode: 255, location: 3 }),
  key({ action: 'up', key: 'never pressed' }),
  mouse({ x: -100, y: 20_000 }),
  mouse({ action: 'up', button: 'forward', buttons: 31, clicks: 3 }),
  mouse({ action: 'wheel', deltaX: -10_000, deltaY: 10_000 }),
  JSON.stringify({ type: 'touch', action: 'start', points: [] }),
  JSON.stringify({ type: 'touch', action: 'end', points: [{ x: 1, y: 1, id: 1 }] }),
  JSON.stringify({ type: 'touch', action: 'move', points: Array(10).fill({ x: 1, y: 1, id: 7 }) }),
  JSON.stringify({ type: 'text', text: '\u0000\ud800\u202e'.repeat(5000) }),
  JSON.stringify({ type: 'text', text: '😀'.repeat(10_000) }),
  ...['switch-tab', 'close-tab'].flatMap((type) =>
    ['', '..', '__proto__', '\u0000', 'x'.repeat(40), 'TAB OF ANOTHER SESSION'].map((id) =>
      JSON.stringify({ type, id }),
    ),
  ),
  ...['back', 'forward', 'reload'].map((type) => JSON.stringify({ type })),
]

function toUrl(url: string): string {
  return JSON.stringify({ type: 'navigate', url })
}

export interface LiveMessage {
  text: string
  isBinary: boolean
}

export const liveMessages: LiveMessage[] = [...malformed, ...unusual].flatMap((text) =>
  [false, true].map((isBinary) => ({ text, isBinary })),
)

/** One input of each kind. Each would change the session. */
export const steeringInputs = [
  mouse({ action: 'down', button: 'left', clicks: 1 }),
  key({ text: 'a' }),
  JSON.stringify({ type: 'text', text: 'typed' }),
  JSON.stringify({ type: 'touch', action: 'start', points: [{ x: 1, y: 1, id: 1 }] }),
  toUrl('https://example.com/'),
  ...['new-tab', 'reload', 'back', 'forward'].map((type) => JSON.stringify({ type })),
  JSON.stringify({ type: 'close-tab', id: 'x' }),
  JSON.stringify({ type: 'switch-tab', id: 'x' }),
]
