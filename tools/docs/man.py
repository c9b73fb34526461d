#!/usr/bin/env python3
"""man.py XML FOLDER VERSION DATE: writes manual pages of section 3 into FOLDER/man3, from Doxygen's XML output.

There is one page per header (steno_blas.3), function, macro, struct and enumeration. Functions whose comment refers to
the parameters of another one share its page.
"""
import os
import re
import sys

import reference
from roff import Roff, bold, escape, italic

LIBRARIES = {'contract.h': 'steno_contract', 'contract_model.h': 'steno_contract', 'market.h': 'steno_market',
             'cblas.h': 'steno_cblas', 'archive.h': 'steno_codec', 'petsc.h': 'steno_petsc', 'accessor.h': None, 'accessor_define.h': None, 'accessor_span.h': None, 'accessor_block.h': None,
             'codec.h': None, 'complex.h': None}
INLINE = {'bold': bold, 'emphasis': italic, 'computeroutput': bold}
CHARACTERS = {'mdash': '\u2014', 'ndash': '\u2013', 'nonbreakablespace': ' ', 'sp': ' ', 'linebreak': '\n', 'le': '\u2264',
              'ge': '\u2265', 'times': '\u00d7', 'minus': '-', 'sum': '\u2211'}
SEPARATE = ('parameterlist', 'simplesect')


def inline(node, skip=()):
    """The text of an element in roff, without the elements of the kinds in `skip`."""
    text = escape(node.text or '')
    for child in node:
        if child.tag in CHARACTERS:
            text += escape(CHARACTERS[child.tag])
        elif child.tag == 'ulink':
            url = child.get('url')
            text += inline(child) + (' <%s>' % escape(url) if re.match('[a-z]+:', url) else '')
        elif child.tag in INLINE:
            text += INLINE[child.tag](inline(child))
        elif child.tag not in skip:
            text += inline(child)
        text += escape(child.tail or '')
    return re.sub(r'[ \n]+', ' ', text)


def code_of(node):
    """The lines of a code block."""
    if node.tag == 'programlisting':
        return [plain(line) for line in node.findall('codeline')]
    return (node.text or '').strip('\n').split('\n')


def plain(node):
    """The text of an element, with its white space."""
    text = (' ' if node.tag == 'sp' else node.text or '')
    return text + ''.join(plain(child) + (child.tail or '') for child in node)


BLOCKS = ('programlisting', 'verbatim', 'preformatted', 'itemizedlist', 'orderedlist', 'table', 'variablelist',
          'blockquote', 'hruler') + SEPARATE


def write_list(out, node):
    for number, item in enumerate(node.findall('listitem'), 1):
        out.item('%d.' % number if node.tag == 'orderedlist' else r'\(bu', width=4)
        out.begin()
        write_blocks(out, item)
        out.end()


def write_table(out, node):
    rows = [[' '.join(inline(para) for para in entry.findall('para')).strip() for entry in row.findall('entry')]
            for row in node.findall('row')]
    out.table(rows)


def write_block(out, node):
    if node.tag in ('itemizedlist', 'orderedlist'):
        write_list(out, node)
    elif node.tag == 'table':
        write_table(out, node)
    elif node.tag in ('programlisting', 'verbatim', 'preformatted'):
        out.code(code_of(node))
    elif node.tag == 'blockquote':
        write_blocks(out, node)
    elif node.tag == 'simplesect' and node.get('kind') in ('note', 'warning', 'remark', 'attention'):
        out.paragraph(bold(node.get('kind').capitalize() + ':') + ' ' + inline(node).strip())


def write_para(out, para, taken=()):
    """A paragraph with the blocks in it. Code in `taken` is printed elsewhere."""
    text = escape(para.text or '')
    for child in para:
        if child.tag in BLOCKS:
            out.paragraph(text)
            text = ''
            if child not in taken:
                write_block(out, child)
            text += escape(child.tail or '')
        else:
            holder = type(para)('para')
            holder.append(child)
            text += inline(holder)
    out.paragraph(text)


def write_blocks(out, node, taken=()):
    for child in node:
        if child.tag == 'para':
            write_para(out, child, taken)
        elif re.match('sect[1-4]$', child.tag):
            out.subsection(inline(child.find('title')))
            write_blocks(out, child, taken)
        elif child.tag in BLOCKS:
            write_block(out, child)


def examples_in(node):
    """Code blocks for the section EXAMPLE: all but those which a text introduces with a colon."""
    found, before = [], ''
    for para in node.findall('para'):
        for child in para:
            if child.tag == 'programlisting' and not before.endswith(':'):
                found.append(child)
            before = reference.text_of(child)
            before = (child.tail or '').strip() or before
        before = reference.text_of(para) or before
    return found


class Manual:
    def __init__(self, xml, folder, version, date):
        self.folder = os.path.join(folder, 'man3')
        os.makedirs(self.folder, exist_ok=True)
        self.reference = reference.load(xml)
        self.version, self.date = version, date
        self.families = {}  # name -> the symbols that share its page, in the order of the header
        for symbol in self.reference.symbols:
            leader = self.reference.family_of(symbol)
            if leader is not None:
                self.families.setdefault(leader.name, []).append(symbol)
        self.names = {symbol.name for symbol in self.reference.symbols if self.has_page(symbol)}

    @staticmethod
    def has_page(symbol):
        return symbol.is_documented() and symbol.kind in ('function', 'define', 'struct', 'enum', 'typedef') \
            and not symbol.is_anonymous()

    @staticmethod
    def overview(header):
        return 'steno_' + os.path.basename(header)[:-2] if header != 'steno/steno.h' else 'steno'

    def page(self, names, brief):
        out = Roff(names[0], 3, self.version, self.date)
        out.section('NAME')
        out.text(r'%s \- %s' % (', '.join(escape(name) for name in names), brief))
        return out

    def save(self, out, name):
        with open(os.path.join(self.folder, name + '.3'), 'w', encoding='utf-8') as file:
            file.write(out.result())

    def brief(self, node, name):
        text = inline(node).strip() if node is not None else ''
        return re.sub(r'\.$', '', text) or escape(name)

    def library(self, out, header):
        library = LIBRARIES.get(os.path.basename(header), 'steno')
        if library:
            out.section('LIBRARY')
            out.text(escape('lib%s (-l%s)' % (library, library)))

    @staticmethod
    def prototype(symbol):
        node = symbol.node
        if symbol.kind == 'define':
            names = [param.findtext('defname') or '' for param in node.findall('param')]
            return symbol.name + ('(%s)' % ', '.join(names) if names and names != [''] else '')
        kind = reference.text_of(node.find('type'))
        if symbol.kind == 'typedef':
            return 'typedef %s %s%s;' % (kind, symbol.name, node.findtext('argsstring') or '')
        separator = '' if kind.endswith('*') else ' '
        params = []
        for param in node.findall('param'):
            of_type = reference.text_of(param.find('type'))
            name = param.findtext('declname') or ''
            params.append(of_type + ('' if of_type.endswith('*') or not name else ' ') + name +
                          (param.findtext('array') or ''))
        start = '%s%s%s(' % (kind, separator, symbol.name)
        lines, line = [], start
        for number, param in enumerate(params):
            part = param + (', ' if number + 1 < len(params) else '')
            if len(line) + len(part.rstrip()) > 76 and line.strip() and not line.endswith('('):
                lines.append(line.rstrip())
                line = '    '
            line += part
        return '\n'.join(lines + [line + ');'])

    def write_struct(self, out, symbol):
        out.code(['typedef struct %s {' % symbol.name] +
                 ['    %s;' % self.declaration(member) for member in symbol.members] + ['} %s;' % symbol.name])

    @staticmethod
    def declaration(member):
        kind = reference.text_of(member.node.find('type'))
        kind = kind.replace('(*', ' (*')
        return kind + ('' if kind.endswith('*') else ' ') + member.name + (member.node.findtext('argsstring') or '')

    def synopsis(self, out, symbols):
        out.section('SYNOPSIS')
        out.code(['#include <%s>' % symbols[0].header], fill_bold=True)
        symbol = symbols[0]
        if symbol.kind == 'struct':
            self.write_struct(out, symbol)
        elif symbol.kind == 'enum':
            values = ['    %s %s,' % (value.name, value.node.findtext('initializer') or '') for value in symbol.members]
            out.code(['typedef enum %s {' % symbol.name] + [re.sub(r' ,$', ',', line) for line in values] +
                     ['} %s;' % symbol.name])
        else:
            for each in symbols:
                out.code(self.prototype(each).split('\n'), fill_bold=True)

    def items(self, out, title, items):
        if items:
            out.section(title)
        for names, direction, node in items:
            out.item(', '.join(names) + (' (%s)' % direction if direction else ''))
            out.begin()
            write_blocks(out, node)
            out.end()

    @staticmethod
    def parameters(symbol, kind):
        direction = {'out': 'output', 'inout': 'input and output', 'in,out': 'input and output'}
        return [([bold(escape(reference.text_of(name))) for name in item.iter('parametername')],
                 direction.get((item.find('.//parametername').get('direction') or '').replace(' ', '')),
                 item.find('parameterdescription')) for item in reference.parameter_items(symbol.detail, kind)]

    def sections(self, symbol, kind):
        return [node for node in symbol.detail.iter('simplesect') if node.get('kind') == kind]

    def returns(self, out, symbol):
        found = self.sections(symbol, 'return')
        is_status = reference.returns_status(symbol)
        if found or is_status:
            out.section('RETURN VALUE')
        for node in found:
            write_blocks(out, node)
        if is_status and not found:
            out.paragraph(r'%s on success, otherwise an error code. The message is returned by %s.'
                          % (bold('STN_OK'), bold(r'stn_error') + '(3)'))

    def errors(self, out, symbol):
        """The errors of a function, and those that its header states for all functions."""
        header = next(header for header in self.reference.headers if header.name == symbol.header)
        common = self.parameters(header, 'retval') if reference.returns_status(symbol) else []
        own = self.parameters(symbol, 'retval')
        self.items(out, 'ERRORS', own + [item for item in common if item[0] not in [names for names, _, _ in own]])

    def see_also(self, out, symbol, own):
        names = [self.overview(symbol.header)]
        names += [name for name in symbol.references() if name in self.names and name not in own]
        names += [name for node in self.sections(symbol, 'see')
                  for name in reference.SYMBOL.findall(reference.text_of(node)) if name not in own]
        out.section('SEE ALSO')
        out.text(', '.join(bold(escape(name)) + '(3)' for name in dict.fromkeys(names)))

    def write_symbol(self, symbol):
        family = [symbol] + self.families.get(symbol.name, [])
        out = self.page([each.name for each in family], self.brief(symbol.brief, symbol.name))
        self.library(out, symbol.header)
        self.synopsis(out, family)
        out.section('DESCRIPTION')
        taken = examples_in(symbol.detail)
        write_blocks(out, symbol.brief)
        write_blocks(out, symbol.detail, taken)
        for other in family[1:]:
            out.item(bold(escape(other.name)))
            out.begin()
            write_blocks(out, other.brief)
            if reference.text_of(other.detail) != 'See %s.' % symbol.name:
                write_blocks(out, other.detail)
            out.end()
        if symbol.kind in ('struct', 'enum'):
            self.items(out, 'MEMBERS' if symbol.kind == 'struct' else 'VALUES',
                       [([bold(escape(member.name))], None, self.merged(member)) for member in symbol.members])
        self.items(out, 'PARAMETERS', self.parameters(symbol, 'param'))
        self.returns(out, symbol)
        self.errors(out, symbol)
        for node in self.sections(symbol, 'par'):
            out.section(inline(node.find('title')).upper())
            write_blocks(out, node)
        if taken:
            out.section('EXAMPLE')
        for node in taken:
            out.code(code_of(node))
        self.see_also(out, symbol, {each.name for each in family})
        self.save(out, symbol.name)
        for other in family[1:]:
            with open(os.path.join(self.folder, other.name + '.3'), 'w', encoding='utf-8') as file:
                file.write('.so man3/%s.3\n' % symbol.name)

    @staticmethod
    def merged(member):
        node = type(member.brief)('both')
        node.extend(list(member.brief) + list(member.detail))
        return node

    def write_header(self, header):
        name = self.overview(header.name)
        out = self.page([name], self.brief(header.brief, header.name))
        self.library(out, header.name)
        out.section('SYNOPSIS')
        out.code(['#include <%s>' % header.name], fill_bold=True)
        out.section('DESCRIPTION')
        write_blocks(out, header.brief)
        write_blocks(out, header.detail)
        self.items(out, 'ERRORS', self.parameters(header, 'retval'))
        for kind, title in (('function', 'FUNCTIONS'), ('define', 'MACROS'), ('struct', 'STRUCTS'), ('enum', 'ENUMERATIONS'),
                            ('typedef', 'TYPES')):
            symbols = [symbol for symbol in header.symbols if symbol.kind == kind and self.has_page(symbol)]
            if symbols:
                out.section(title)
            for symbol in symbols:
                out.item(bold(escape(symbol.name)) + '(3)')
                out.text(self.brief(symbol.brief, symbol.name) + '.')
        self.save(out, name)

    def write(self):
        followers = {symbol.name for family in self.families.values() for symbol in family}
        for header in self.reference.headers:
            if header.is_documented():
                self.write_header(header)
        for symbol in self.reference.symbols:
            if self.has_page(symbol) and symbol.name not in followers:
                self.write_symbol(symbol)


if __name__ == '__main__':
    Manual(*sys.argv[1:5]).write()
