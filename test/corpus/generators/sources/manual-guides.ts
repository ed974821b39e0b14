import {
  bullets,
  code,
  definitions,
  details,
  figure,
  footnote,
  h2,
  h3,
  type ManualPage,
  note,
  p,
  quote,
  steps,
  tabs,
} from './block.ts'

/** Pages of the manual with explanations. */
export const guides: ManualPage[] = [
  {
    name: 'index',
    title: 'Skerry',
    blocks: [
      p(
        'Skerry reads tide gauges and says when a harbour can be entered. It runs on a laptop aboard and needs no network after the first download.',
      ),
      note('tip', 'Coming from version 1? Read the list of changes before you upgrade.'),
      h2('What it does'),
      bullets(
        'Reads gauges over serial lines, files and `http`.',
        ['Predicts heights from harmonic constituents:', ['up to 37 constituents', 'with nodal corrections']],
        'Draws tide curves as **SVG** for the chart table.',
      ),
      h2('Install'),
      tabs(
        { label: 'With pip', language: 'bash', text: 'pip install skerry' },
        { label: 'From source', language: 'bash', text: 'make build\nmake install' },
      ),
      h2('First reading'),
      code(
        'python',
        'import skerry\n\nheight = skerry.read("hallig")[-1].height\nprint(f"{height:.2f} m")',
        'first.py',
      ),
      p(
        'The station `hallig` is a sample that comes with the package, so the lines above work without a gauge.',
      ),
      h2('Supported systems'),
      p(
        'Linux, macOS and the BSDs are tested before each release. Windows works, but serial ports have *other* names there.',
      ),
    ],
  },
  {
    name: 'tutorial',
    title: 'Your first tide table',
    blocks: [
      p('In ten minutes you will have a table of high and low water for one week, printed on one sheet.'),
      h2('Before you start'),
      steps(
        'Install the package.',
        ['Choose a station:', ['take the nearest one', 'prefer a station on open water']],
        'Make a folder for the tables.',
      ),
      h2('Fetch the constituents'),
      p(
        'A station is described by its constituents. The command below stores them in a file that you may edit.',
      ),
      code('bash', 'skerry fetch hallig --into stations/', 'Fetching one station'),
      note(
        'warning',
        'Constituents older than nineteen years give heights that are wrong by up to ten centimetres.',
      ),
      h2('Compute a week'),
      code(
        'python',
        'from skerry import Station\n\nstation = Station.load("stations/hallig.toml")\nfor tide in station.tides(days=7):\n    print(tide.time, tide.kind, tide.height)',
        'week.py',
      ),
      h3('Read the output'),
      p('Each line has the time in UTC, the kind of tide and the height above chart datum.'),
      figure('curve.png', 'A curve with two high waters', 'Figure of one day at the station Hallig'),
      h2('Print the sheet'),
      p('The sheet fits on A5. Use `--paper a4` if your eyes are tired.'),
      note('note', 'Printing needs a font with tabular figures.'),
    ],
  },
  {
    name: 'concepts',
    title: 'How tides are predicted',
    blocks: [
      p(
        'The tide at a place is the sum of many waves with known periods.[^1] What differs between two harbours is only the height and the delay of each wave.',
      ),
      h2('Constituents'),
      p(
        'Each wave is called a constituent. The largest of them is `M2`, which the moon raises twice in a little more than a day.',
      ),
      p(
        'Shallow water bends the waves and gives birth to new ones with shorter periods, which is why river harbours need more constituents than open coasts.',
      ),
      h2('Chart datum'),
      p(
        'Heights are counted from chart datum, a level so low that the sea rarely falls below it. Each country chose its own.[^2]',
      ),
      quote('A depth on the chart is a promise, a height of tide is a hope.'),
      h3('Converting between datums'),
      p(
        'Add the offset of the station to change from one datum to another. The sign is that of the *higher* datum.',
      ),
      figure('datum.png', 'Levels beside a quay', 'Levels from the seabed to the highest astronomical tide'),
      h2('What prediction cannot know'),
      bullets(
        'Wind that pushes water into a bay.',
        'Pressure: one hectopascal is one centimetre.',
        'Rivers after rain.',
      ),
      footnote(
        '1',
        'The periods follow from the orbits of the moon and the earth and have been known since the nineteenth century.',
      ),
      footnote('2', 'Most of Europe uses the lowest astronomical tide today.'),
    ],
  },
  {
    name: 'faq',
    title: 'Questions and answers',
    blocks: [
      p('What people ask at the pontoon, with short answers.'),
      h2('Is the height above the seabed?'),
      p('No. It is above chart datum. Add the charted depth to know how much water there is.'),
      h2('Why do my times differ by an hour?'),
      p('Skerry prints UTC. Set `timezone` to see local time, with summer time where the country has it.'),
      code('toml', 'timezone = "Europe/Amsterdam"\nclock = 24'),
      h2('May I use it for navigation?'),
      note(
        'caution',
        'Skerry is no replacement for official tables. Carry both and believe the higher risk.',
      ),
      p('Many do, as a second opinion beside the almanac.'),
      h2('Which gauges can it read?'),
      bullets(
        'Radar gauges with a serial line',
        'Pressure sensors that speak Modbus',
        'Files with one reading per line',
      ),
      details(
        'Which cable does a radar gauge need?',
        'A shielded pair with the shield grounded at one end only.',
      ),
      p('Tell us about yours, and we add a driver.'),
    ],
  },
  {
    name: 'glossary',
    title: 'Glossary of terms',
    blocks: [
      p('Words as this manual uses them. Other books may mean something else.'),
      definitions(
        ['Amplitude', 'Half the difference between the highest and the lowest point of a wave.'],
        ['Chart datum', 'The level from which depths and heights of tide are counted.'],
        ['Constituent', 'One wave of known period, as `M2` or `S2`.'],
        ['Drying height', 'How high a bank stands above chart datum when the water has gone.'],
        ['Ebb', 'The stream that runs out.'],
        ['Epoch', 'The nineteen years over which constituents are averaged.'],
        ['Gauge', 'An instrument that measures the level of the water.'],
        ['Neap', 'A tide of small range, a day or two after the half moon.'],
        ['Range', 'The difference between high water and the next low water.'],
        ['Slack', 'The short time in which the stream turns.'],
        ['Spring', 'A tide of great range, a day or two after the full and the new moon.'],
      ),
      h2('Abbreviations'),
      definitions(
        ['HAT', 'Highest astronomical tide'],
        ['LAT', 'Lowest astronomical tide'],
        ['MHWS', 'Mean high water springs'],
      ),
    ],
  },
]
