/** A post of a forum about boats on the shallow coast. The HTML of a post is like the output of common editors. */
export interface Post {
  author: string
  date: string
  html: string
  /** Complete lines and text that the Markdown of the post must contain. */
  lines: string[]
  text: string[]
}

export interface Topic {
  id: number
  title: string
  slug: string
  category: string
  tags: string[]
  views: number
  posts: Post[]
}

const createPost = (author: string, date: string, ...paragraphs: string[]): Post => ({
  author,
  date,
  html: paragraphs.map((text) => `<p>${text}</p>`).join('\n'),
  lines: [],
  text: paragraphs,
})

const extendPost = (post: Post, html: string, lines: string[], text: string[] = []): Post => ({
  ...post,
  html: `${post.html}\n${html}`,
  lines: [...post.lines, ...lines],
  text: [...post.text, ...text],
})

export const topics: Topic[] = [
  {
    id: 11,
    title: 'Gauge prints nonsense after midnight',
    slug: 'gauge-prints-nonsense-after-midnight',
    category: 'Help',
    tags: ['serial', 'bug'],
    views: 412,
    posts: [
      extendPost(
        createPost(
          'hedda',
          'March 3, 2026 at 21:14',
          'Since Sunday my gauge sends garbage between midnight and one. Before that it ran for two years.',
        ),
        '<pre><code class="lang-text">00:01 3.05\n00:02 ###\n00:03 ###</code></pre>',
        ['```\n00:01 3.05\n00:02 ###\n00:03 ###\n```'],
      ),
      createPost(
        'old_piet',
        'March 3, 2026 at 22:40',
        'Is there a heater near the cable that is switched by a night tariff?',
      ),
      extendPost(
        createPost('hedda', 'March 4, 2026 at 07:55', 'There is. I will move it and report.'),
        '<blockquote><p>Is there a heater near the cable</p></blockquote><p>You must have seen this before.</p>',
        ['> Is there a heater near the cable'],
        ['You must have seen this before.'],
      ),
      createPost(
        'old_piet',
        'March 4, 2026 at 08:10',
        'More than once. Shield the pair and ground it at one end.',
      ),
    ],
  },
  {
    id: 12,
    title: 'Which anchor for soft mud?',
    slug: 'which-anchor-for-soft-mud',
    category: 'Gear',
    tags: ['anchor'],
    views: 1290,
    posts: [
      createPost(
        'marlow',
        'February 8, 2026 at 10:02',
        'We dry out twice a day on mud like custard. My old fisherman just ploughs through it. What do you use?',
      ),
      extendPost(
        createPost(
          'skipper_ann',
          'February 8, 2026 at 10:31',
          'A wide fluke and a lot of chain. My list, from best to worst:',
        ),
        '<ol><li>Danforth pattern, 12 kg</li><li>Bruce pattern, 10 kg</li><li>Anything folding</li></ol>',
        ['1. Danforth pattern, 12 kg\n2. Bruce pattern, 10 kg\n3. Anything folding'],
      ),
      createPost(
        'jonas',
        'February 9, 2026 at 18:20',
        'Bury it by hand at low water. It costs five minutes and holds all week.',
      ),
      createPost('marlow', 'February 10, 2026 at 09:00', 'By hand it is. Thank you, it held in a force six.'),
    ],
  },
  {
    id: 13,
    title: 'Tide tables for 2027 are out',
    slug: 'tide-tables-for-2027-are-out',
    category: 'News',
    tags: ['tables', 'release'],
    views: 233,
    posts: [
      extendPost(
        createPost(
          'keeper',
          'March 12, 2026 at 06:00',
          'The new constituents are ready for download. These stations changed most:',
        ),
        '<div class="md-table"><table><thead><tr><th>Station</th><th>High water</th><th>Change</th></tr></thead><tbody><tr><td>Hallig</td><td>3.05 m</td><td>+4 cm</td></tr><tr><td>Vlie</td><td>2.20 m</td><td>-2 cm</td></tr></tbody></table></div>',
        ['| Station | High water | Change |', '| Hallig | 3.05 m | +4 cm |\n| Vlie | 2.20 m | -2 cm |'],
      ),
      createPost(
        'jonas',
        'March 12, 2026 at 08:15',
        'Works here. The sheet now fits on one page, which my printer likes.',
      ),
    ],
  },
  {
    id: 14,
    title: 'How do you log readings at sea?',
    slug: 'how-do-you-log-readings-at-sea',
    category: 'Help',
    tags: ['python'],
    views: 654,
    posts: [
      createPost(
        'liv',
        'January 5, 2026 at 12:00',
        'I want one line per minute in a file and a new file per day. Has anybody done this?',
      ),
      extendPost(
        createPost('jonas', 'January 5, 2026 at 13:45', 'This runs on my boat since spring:'),
        '<pre><code class="lang-python">import skerry, time\n\nwhile True:\n    print(skerry.read("hallig")[-1])\n    time.sleep(60)</code></pre><p>Send it to <code>rotatelogs</code> and you are done.</p>',
        [
          '```python\nimport skerry, time\n\nwhile True:\n    print(skerry.read("hallig")[-1])\n    time.sleep(60)\n```',
        ],
        ['Send it to `rotatelogs` and you are done.'],
      ),
      createPost(
        'liv',
        'January 5, 2026 at 19:30',
        'Beautiful. One question remains: what happens when the clock is set back?',
      ),
      createPost('jonas', 'January 6, 2026 at 08:01', 'Nothing, because it logs in UTC.'),
    ],
  },
  {
    id: 15,
    title: 'Meeting on the sandbank, 20 June',
    slug: 'meeting-on-the-sandbank-20-june',
    category: 'Meetings',
    tags: ['meeting'],
    views: 88,
    posts: [
      extendPost(
        createPost(
          'skipper_ann',
          'April 1, 2026 at 17:00',
          'We dry out together at half past nine and cook. Bring:',
        ),
        '<ul><li>wood</li><li>a chair</li><li>something to share</li></ul><p><img src="/uploads/sandbank.jpeg" alt="Boats on a sandbank" width="690" height="388"></p>',
        ['- wood\n- a chair\n- something to share'],
        ['![Boats on a sandbank]('],
      ),
      createPost('hedda', 'April 2, 2026 at 09:12', 'We come with two boats and too many children.'),
      createPost(
        'marlow',
        'April 3, 2026 at 20:44',
        'Is there room for a draught of one metre ten? I would come with the first of the flood.',
      ),
    ],
  },
  {
    id: 16,
    title: 'Modbus sensor: first experience',
    slug: 'modbus-sensor-first-experience',
    category: 'Gear',
    tags: ['modbus', 'review'],
    views: 301,
    posts: [
      createPost(
        'liv',
        'March 20, 2026 at 15:30',
        'I have had the new pressure sensor in the harbour for three weeks. It is accurate to a centimetre and does not mind weed.',
        'What I do not like is the plug. It is not sealed, and mine was green after a week.',
      ),
      createPost(
        'old_piet',
        'March 20, 2026 at 16:05',
        'Fill the plug with grease. It is ugly and it works.',
      ),
    ],
  },
]
