"""roff.py: builds manual pages with the macros of man(7)."""
import re


def escape(text):
    """Text in roff: hyphens of names and options are printed as ASCII characters."""
    return text.replace('\\', r'\e').replace('-', r'\-').replace("'", r'\(aq').replace('`', r'\(ga').replace('^', r'\(ha') \
        .replace('~', r'\(ti')


def bold(text):
    return r'\fB%s\fP' % text


def italic(text):
    return r'\fI%s\fP' % text


class Roff:
    def __init__(self, name, section, version, date):
        self.lines = ['.TH "%s" %d "%s" "Steno %s" "Steno Manual"' % (escape(name).upper(), section, date, version)]
        self.tight = True  # the next paragraph follows a heading or a tag
        self.marks = []  # where the texts of open items begin

    def add(self, line):
        self.lines.append(line)

    def section(self, title):
        self.add('.SH "%s"' % title)
        self.tight = True

    def subsection(self, title):
        self.add('.SS "%s"' % title)
        self.tight = True

    def text(self, text):
        """Text without a macro before it."""
        text = text.strip()
        if text:
            self.add((r'\&' if text[0] in ".'" else '') + text)
            self.tight = False

    def paragraph(self, text):
        if not text.strip():
            return
        if not self.tight:
            self.add('.PP')
        self.text(text)

    def item(self, tag, width=None):
        self.add('.TP' + (' %d' % width if width else ''))
        self.add(tag)
        self.tight = True

    def begin(self):
        """The text of an item begins."""
        self.marks.append(len(self.lines))

    def end(self):
        """The text of an item ends. If it has more than one paragraph, those are indented."""
        mark = self.marks.pop()
        body = self.lines[mark:] or [r'\ ']
        first = [] if body[0].startswith('.') else body[:1]
        rest = body[len(first):]
        self.lines[mark:] = first + (['.RS'] + rest + ['.RE'] if rest else [])
        self.tight = True

    def code(self, lines, fill_bold=False):
        if not self.tight:
            self.add('.PP')
        self.add('.nf')
        for line in lines:
            line = escape(line.rstrip())
            self.add(bold(line) if fill_bold and line else (r'\&' if line[:1] in ('.', r"\(aq") else '') + line)
        self.add('.fi')
        self.tight = False

    def table(self, rows):
        """Rows as tagged paragraphs: the first cell is the tag, with the titles of the columns after the second."""
        titles = rows[0]
        for row in rows[1:]:
            self.item(bold(re.sub(r'\\f[BIP]', '', row[0])) if row[0] else r'\ ')
            cells = [cell if number == 1 else '%s: %s' % (titles[number], cell)
                     for number, cell in enumerate(row) if number and cell]
            self.text('; '.join(cells) or r'\ ')
        self.tight = False

    def result(self):
        return '\n'.join(self.lines) + '\n'
