import { describe, expect, it } from 'vitest'
import { encode } from '../../test/documents/encode.ts'
import { decodeFile, detectCharset } from './charset.ts'

/** Short tables as users upload them: names, places and a number. */
const tables: [string, string][] = [
  ['shift_jis', '名前,年齢,住所\n佐藤太郎,30,東京\n三木英子,25,大阪\n'],
  ['shift_jis', 'なまえ,としより,メモ\nさくら,12,ありがとう\n'],
  ['euc-jp', '名前,メモ\n佐藤太郎,ありがとうございます\n'],
  ['gbk', '姓名,年龄,城市\n张伟,34,北京\n王秀英,28,上海\n'],
  ['big5', '姓名,年齡,城市\n陳怡君,34,臺北\n林志明,28,高雄\n'],
  ['euc-kr', '이름,나이,도시\n김민수,34,서울\n이영희,28,부산\n'],
  ['windows-1250', 'imię;miasto\nŁukasz Wójcik;Gdańsk\nZofia Dąbrowska;Łódź\n'],
  ['windows-1250', 'jméno;město\nJiří Dvořák;Plzeň\nVěra Černá;Ústí nad Labem\n'],
  ['windows-1250', 'név;város\nKovács Ödön;Győr\nSzűcs Ágnes;Pécs\n'],
  ['windows-1251', 'имя;город\nИван Петров;Москва\nОльга Смирнова;Санкт-Петербург\n'],
  ['windows-1251', "ім'я;місто\nТарас Шевченко;Київ\nЛеся Українка;Луцьк\n"],
  ['koi8-r', 'имя;город\nИван Петров;Москва\nОльга Смирнова;Казань\n'],
  ['ibm866', 'имя;город\nИван Петров;Москва\nОльга Смирнова;Казань\n'],
  ['windows-1252', 'name;ort\nJürgen Groß;Köln\nBärbel Müller;Düsseldorf – Süd\n'],
  ['windows-1252', 'prénom;ville\nÉloïse Lefèvre;Besançon\nCœur d’Alène;Angoulême\n'],
  ['windows-1252', 'nombre;año\nMaría Núñez;2021\nJosé Ibáñez;1999\n'],
  ['windows-1253', 'όνομα;πόλη\nΓιώργος Παπαδόπουλος;Αθήνα\nΕλένη Νικολάου;Θεσσαλονίκη\n'],
  ['windows-1254', 'isim;şehir\nAyşe Yılmaz;İstanbul\nÇağrı Öztürk;Diyarbakır\n'],
  ['windows-1255', 'שם;עיר\nדוד כהן;ירושלים\nשרה לוי;תל אביב\n'],
  ['windows-1256', 'الاسم;المدينة\nمحمد علي;القاهرة\nفاطمة حسن;بغداد\n'],
  ['windows-1257', 'vardas;miestas\nJonas Žemaitis;Šiauliai\nRūta Kazlauskienė;Panevėžys\n'],
  ['windows-874', 'ชื่อ;เมือง\nสมชาย ใจดี;กรุงเทพ\nมาลี สุขใจ;เชียงใหม่\n'],
]

describe('text without a declared encoding', () => {
  it.each(tables)('is decoded from %s: %s', (encoding, text) => {
    expect(decodeFile(encode(text, encoding))).toBe(text)
  })

  it.each(['', '\ufeff'])('is decoded from UTF-16, with and without a byte order mark', (byteOrderMark) => {
    const text = 'имя;город\nИван;Москва\n'
    const littleEndian = Buffer.from(byteOrderMark + text, 'utf16le')
    expect(decodeFile(littleEndian)).toBe(text)
    expect(decodeFile(Buffer.from(littleEndian).swap16())).toBe(text)
  })

  it('is decoded if the first non-ASCII character follows 180,000 ASCII bytes', () => {
    const text = `${'1,2,3\n'.repeat(30_000)}佐藤太郎,30,東京\n`
    expect(decodeFile(encode(text, 'shift_jis'))).toBe(text)
  })

  it('is decoded as UTF-8 if a single byte is invalid', () => {
    const text = 'имя;город\nИван Петров;Москва\nОльга;Казань\n'
    const bytes = Buffer.concat([Buffer.from(text), Buffer.from([0xd0])])
    expect(detectCharset(bytes)).toBe('utf-8')
    expect(decodeFile(bytes)).toContain('Москва')
  })
})
