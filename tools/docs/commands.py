#!/usr/bin/env python3
"""commands.py STENO PAGE FOLDER VERSION DATE: writes manual pages of section 1 into FOLDER/man1.

There is one page for the command STENO and one per subcommand. Names, usage and options are taken from what the command
prints for `help` and `--help`; the description is that of the Markdown file PAGE, doc/command.md.
"""
import os
import re
import subprocess
import sys

from pages import CODE, HEADING, LINK, Page
from roff import Roff, bold, escape


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True, check=False).stdout


class Help:
    """The output of `--help`: lines of usage, then paragraphs and lists."""

    def __init__(self, text):
        blocks = [block.split('\n') for block in re.split(r'\n\s*\n', text.rstrip('\n'))]
        self.usage = [re.sub(r'^usage: |^ +', '', line) for line in blocks[0] if line]
        self.blocks = blocks[1:]

    @staticmethod
    def is_list(block):
        return block[0].startswith('  ') and Help.column(block) is not None

    @staticmethod
    def column(block):
        """The column in which the descriptions of a list begin, or None."""
        starts = [len(line) - len(line.lstrip()) for line in block]
        gaps = [match.end() for match in re.finditer(r'\S  +(?=\S)', block[0])] or \
            [match.end() for match in re.finditer(r'\S (?=\S)', block[0])]
        candidates = {start for start in starts if start > 4} or gaps
        fits = [column for column in candidates
                if all(line[column - 1:column] == ' ' and line[column:column + 1] not in ('', ' ') for line in block)]
        return min(fits) if fits else None

    @staticmethod
    def items(block):
        """Pairs of a term and its description."""
        column, items = Help.column(block), []
        for line in block:
            if line[:column].strip():
                items.append((line[:column].strip(), line[column:].strip()))
            else:
                items[-1] = (items[-1][0], items[-1][1] + ' ' + line.strip())
        return items


def code(text):
    """Escapes Markdown text, with code in bold and links as their text."""
    text = LINK.sub(lambda match: match.group(2), text)
    parts, end = [], 0
    for match in CODE.finditer(text):
        parts += [escape(text[end:match.start()].replace('**', '')), bold(escape(match.group(2)))]
        end = match.end()
    return ''.join(parts + [escape(text[end:].replace('**', ''))]).replace(r'\e|', '|')


def cells(line):
    return [code(cell.strip()) for cell in re.split(r'(?<!\\)\|', line.strip().strip('|'))]


def write_markdown(out, lines):
    """Writes paragraphs, headings and tables of Markdown, without the tables of options."""
    fenced, table, paragraph = None, [], []
    for line in lines + ['']:
        if fenced is not None:
            if line.startswith('```'):
                out.code(fenced)
                fenced = None
            else:
                fenced.append(line)
        elif line.startswith('|'):
            table.append(line)
        elif table:
            if not table[0].startswith('| option'):
                out.table([cells(row) for row in table if not re.match(r'[|\s:-]+$', row)])
            table = []
        elif not line.strip() or HEADING.match(line) or line.startswith('```'):
            out.paragraph(code(' '.join(paragraph)))
            paragraph = []
            if line.startswith('```'):
                fenced = []
            elif line.strip():
                out.subsection(code(HEADING.match(line).group(2)))
        else:
            paragraph.append(line.strip())


class Manual:
    def __init__(self, steno, page, folder, version, date):
        self.steno, self.version, self.date = steno, version, date
        self.folder = os.path.join(folder, 'man1')
        os.makedirs(self.folder, exist_ok=True)
        self.help = Help(run(steno, 'help'))
        self.sections = self.read_sections(Page(page))

    @staticmethod
    def read_sections(page):
        """The lines of the page under each of its headings of level 2, and under the title."""
        headings = dict(page.text_lines())
        sections, name = {'': []}, ''
        for number, line in enumerate(page.lines):
            if number in headings and line.startswith('## '):
                name = line[3:].replace('`', '')
                sections[name] = []
            elif not (number in headings and line.startswith('# ')):
                sections[name].append(line)
        return sections

    def section_of(self, words):
        """The section of the page about a subcommand such as steno bench versus."""
        name = ' '.join(words)
        return next((lines for title, lines in self.sections.items() if re.match(re.escape(name) + r'(?= [^a-z]|,|$)', title)),
                    None)

    def subcommands(self):
        """Subcommands as lists of words, with their purpose and what they print for --help."""
        for block in self.help.blocks:
            for name, purpose in Help.items(block) if Help.is_list(block) else ():
                if re.match(r'[a-z]+$', name):
                    help_text = Help(run(self.steno, name, '--help'))
                    yield [name], purpose, help_text
                    yield from self.nested(name, help_text)


    def nested(self, name, help_text):
        purposes = {}
        for line in help_text.usage:
            match = re.match(r'steno %s ([a-z]+) .*?(?:   +(.*))?$' % name, line)
            if match:
                purposes[match.group(1)] = re.sub(r'; see .*', '', match.group(2) or '')
        for block in help_text.blocks:
            purposes.update(item for item in (Help.items(block) if Help.is_list(block) else ())
                            if re.match('[a-z]+$', item[0]))
        for word, purpose in purposes.items():
            text = run(self.steno, name, word, '--help')
            if text.startswith('usage: steno %s %s' % (name, word)):
                yield [name, word], purpose, Help(text)

    def page(self, words, purpose, help_text):
        name = '-'.join(words)
        out = Roff(name, 1, self.version, self.date)
        out.section('NAME')
        out.text(r'%s \- %s' % (escape(name), escape(purpose)))
        out.section('SYNOPSIS')
        out.code(help_text.usage)
        out.section('DESCRIPTION')
        return out

    def finish(self, out, name, related):
        out.section('SEE ALSO')
        out.text(', '.join(bold(escape(each)) + '(1)' for each in related if each != name))
        with open(os.path.join(self.folder, name + '.1'), 'w', encoding='utf-8') as file:
            file.write(out.result())

    def write_help(self, out, blocks):
        for block in blocks:
            if Help.is_list(block):
                for term, text in Help.items(block):
                    out.item(bold(escape(term)))
                    out.text(escape(text))
                out.tight = False
            elif block[0].startswith(' '):
                out.code(block)
            else:
                out.paragraph(escape(' '.join(line.strip() for line in block)))

    def write_subcommand(self, words, purpose, help_text, related):
        out = self.page(words, purpose, help_text)
        options = [block for block in help_text.blocks if block[0].lstrip().startswith('-')]
        section = self.section_of(words)
        if section:
            write_markdown(out, section)
        else:
            self.write_help(out, [block for block in help_text.blocks if block not in options])
        if options:
            out.section('OPTIONS')
            self.write_help(out, options)
        self.finish(out, '-'.join(words), related)

    def write(self):
        found = [(['steno'] + words, purpose, help_text) for words, purpose, help_text in self.subcommands()]
        out = self.page(['steno'], 'measure numerical operations on arrays in narrow storage formats', self.help)
        write_markdown(out, [line for line in self.sections[''] if not line.startswith('|')])
        out.section('COMMANDS')
        for words, purpose, _ in found:
            out.item(bold(escape('-'.join(words))) + '(1)')
            out.text(escape(purpose))
        self.finish(out, 'steno', ['-'.join(words) for words, _, _ in found if len(words) == 2] + ['steno-plot'])
        plot = Help(run(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'steno-plot'), '--help'))
        self.write_subcommand(['steno-plot'], 'draw the results of steno', plot, ['steno'])
        for words, purpose, help_text in found:
            related = ['steno'] + ['-'.join(other) for other, _, _ in found if other[1] == words[1]]
            self.write_subcommand(words, purpose, help_text, related)


if __name__ == '__main__':
    Manual(*sys.argv[1:6]).write()
