import type { drivingStatuses } from '@hansom/domain/bookings/status'
import type { ChatSide, ReportReason } from '@hansom/domain/chats/chat'
import type { QuickReply } from '@hansom/domain/chats/quick-replies'
import type { Settings } from '@hansom/domain/settings/settings'
import words from './chat-words.json' with { type: 'json' }

/** Who writes what at which stage of the trip: a quick reply by its key, the person's own words, or a photo. */
export interface ScriptLine {
  by: ChatSide
  at: (typeof drivingStatuses)[number]
  say: { quick: QuickReply } | { text: string } | { photo: true }
}

export type ScriptKind = 'driven' | 'cancelled_soon' | 'cancelled_late' | 'left_unread' | 'photo'

/** Most of the demo's people write in one of three languages; the others are those of a few visitors. */
type Language = 'en' | 'es' | 'pt-BR' | Visitor
type Visitor = keyof typeof words.visitors

const languageOrder: readonly Language[] = ['en', 'es', 'es', 'en', 'es', 'pt-BR', 'es', 'en', 'es']
const visitorOrder = Object.keys(words.visitors) as Visitor[]

/** The language of the demo's `number`th rider, from 0, which is the demo account. */
export function languageOf(number: number): Language {
  const isVisitor = number % 10 === 9
  const language = isVisitor
    ? visitorOrder[Math.floor(number / 10) % visitorOrder.length]
    : languageOrder[number % 10]
  return language ?? 'en'
}

type Word = keyof (typeof words)['en']
type Line = readonly [by: ChatSide, at: ScriptLine['at'], say: QuickReply | { own: Word } | { photo: true }]

const inTraffic: readonly Line[] = [
  ['driver', 'ACCEPTED', 'in_traffic'],
  ['rider', 'ACCEPTED', { own: 'not_ready' }],
  ['driver', 'ACCEPTED', 'two_minutes'],
  ['driver', 'ARRIVED', 'arrived'],
  ['rider', 'ARRIVED', 'please_wait'],
  ['rider', 'ARRIVED', 'coming'],
]
const asked: readonly Line[] = [
  ['driver', 'ACCEPTED', 'on_my_way'],
  ['rider', 'ACCEPTED', { own: 'blue_gate' }],
  ['driver', 'ACCEPTED', 'ok'],
]
const met: readonly Line[] = [
  ['driver', 'ARRIVED', 'arrived'],
  ['rider', 'ARRIVED', 'coming'],
]
const acrossTheStreet: readonly Line[] = [
  ['driver', 'ARRIVED', 'cannot_find_you'],
  ['rider', 'ARRIVED', 'at_entrance'],
  ['driver', 'ARRIVED', { own: 'across' }],
  ['rider', 'ARRIVED', 'coming'],
]
const photoOfGate = (text: Word): readonly Line[] => [
  ['driver', 'ACCEPTED', 'on_my_way'],
  ['rider', 'ACCEPTED', { photo: true }],
  ['rider', 'ACCEPTED', { own: text }],
  ['driver', 'ACCEPTED', 'ok'],
  ...met,
]

const ofBoth: Record<'cancelled_soon' | 'cancelled_late', readonly (readonly Line[])[]> = {
  cancelled_soon: [
    [
      ['driver', 'ACCEPTED', 'on_my_way'],
      ['rider', 'ACCEPTED', { own: 'not_needed' }],
    ],
  ],
  cancelled_late: [
    [
      ['rider', 'ACCEPTED', 'where_are_you'],
      ['driver', 'ACCEPTED', 'in_traffic'],
      ['rider', 'ACCEPTED', { own: 'cannot_wait' }],
    ],
  ],
}

const scripts: Record<Settings['category'], Record<ScriptKind, readonly (readonly Line[])[]>> = {
  taxi: {
    ...ofBoth,
    driven: [
      inTraffic,
      [...asked, ...met],
      acrossTheStreet,
      [
        ['rider', 'ACCEPTED', { own: 'white_coat' }],
        ['driver', 'ACCEPTED', 'ok'],
        ['driver', 'ARRIVED', { own: 'see_her' }],
        ['rider', 'ARRIVED', { own: 'safe_trip' }],
      ],
      [...met, ['rider', 'REACHED', 'thanks']],
    ],
    left_unread: [[...met, ['driver', 'REACHED', 'thanks'], ['driver', 'REACHED', { own: 'umbrella' }]]],
    photo: [photoOfGate('this_gate')],
  },
  delivery: {
    ...ofBoth,
    driven: [
      inTraffic,
      [...asked, ...met],
      [
        ['rider', 'ACCEPTED', { own: 'doorman' }],
        ['driver', 'ACCEPTED', 'ok'],
        ['driver', 'ARRIVED', { own: 'have_it' }],
      ],
      [
        ['driver', 'ACCEPTED', 'on_my_way'],
        ['rider', 'ACCEPTED', { own: 'fragile' }],
        ['driver', 'ACCEPTED', 'ok'],
        ['driver', 'ARRIVED', 'arrived'],
      ],
      [
        ...met,
        ['driver', 'STARTED', { own: 'no_answer' }],
        ['rider', 'STARTED', { own: 'apartment' }],
        ['driver', 'STARTED', 'thanks'],
      ],
    ],
    left_unread: [[...met, ['driver', 'REACHED', { own: 'done' }], ['driver', 'REACHED', 'thanks']]],
    photo: [photoOfGate('behind_gate')],
  },
}

/** One of the conversations of a kind; `luck`, from 0 to below 1, chooses. */
export function scriptOf(
  category: Settings['category'],
  kind: ScriptKind,
  language: Language,
  luck: number,
): ScriptLine[] {
  const choices = scripts[category][kind]
  const chosen = choices[Math.floor(luck * choices.length)] ?? []
  if (language === 'en' || language === 'es' || language === 'pt-BR') {
    return spoken(chosen, (word) => words[language][word])
  }
  // The driver does not speak the visitor's language: quick replies, which each of them reads translated.
  return spoken([...asked, ...met], () => words.visitors[language])
}

const spoken = (lines: readonly Line[], textOf: (word: Word) => string): ScriptLine[] =>
  lines.map(([by, at, say]) => {
    if (typeof say === 'string') return { by, at, say: { quick: say } }
    return { by, at, say: 'own' in say ? { text: textOf(say.own) } : say }
  })

/** A conversation that one of the two has reported. */
export interface ReportedScript {
  script: readonly ScriptLine[]
  report: { by: ChatSide; reason: ReportReason; note: string }
}

/** The conversations that wait for an admin, in English, which the admin of the demo reads. */
export const reportedScripts = (category: Settings['category']): readonly ReportedScript[] => {
  const { cash_first, price_in_app, too_little, insult, stay_polite, ...notes } = words.reported
  return [
    {
      script: [
        { by: 'driver', at: 'ARRIVED', say: { text: cash_first } },
        { by: 'rider', at: 'ARRIVED', say: { text: price_in_app } },
        { by: 'driver', at: 'ARRIVED', say: { text: too_little } },
      ],
      report: { by: 'rider', reason: 'fraud', note: notes[`note_${category}`] },
    },
    {
      script: [
        { by: 'driver', at: 'ACCEPTED', say: { quick: 'in_traffic' } },
        { by: 'rider', at: 'ACCEPTED', say: { text: insult } },
        { by: 'driver', at: 'ACCEPTED', say: { text: stay_polite } },
      ],
      report: { by: 'driver', reason: 'abusive', note: '' },
    },
  ]
}
