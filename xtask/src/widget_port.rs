//! The TypeScript of the border between the widget and the frame's scripts: the functions that the widget exports by wasm-bindgen, and
//! those of the scripts that it imports. Read from the Rust sources, so that it needs no build of the widget.
//!
//! It knows the few types that cross this border, and fails for any other. What is no type of its own in Rust (`JsValue`) is declared there
//! with wasm-bindgen's `typescript_type` and `unchecked_param_type`.

use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::Path;
use syn::{
    Attribute, Expr, ExprLit, FnArg, ForeignItem, GenericArgument, Item, Lit, Meta, MetaNameValue,
    Pat, PathArguments, ReturnType, Signature, Type,
};

/// The file with the declarations.
pub(crate) const PATH: &str = "www/frame/widget.d.ts";

/// The exports of the widget.
const EXPORTS: &str = "src/lib.rs";

/// What the widget calls of the scripts.
const IMPORTS: &str = "src/frame_scripts.rs";

/// The declarations.
pub(crate) fn declarations(root: &Path) -> Result<String> {
    let read = |path: &str| {
        std::fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"))
    };
    text_of(&read(EXPORTS)?, &read(IMPORTS)?)
}

fn text_of(exports: &str, imports: &str) -> Result<String> {
    let mut text = format!(
        "// Made by `cargo xtask reference` from `{EXPORTS}` and `{IMPORTS}`; changes by hand are lost.\n\
         // What the widget and the frame's scripts call of each other.\n\n\
         declare module '{{{{glue}}}}' {{\n"
    );
    for item in syn::parse_file(exports)?.items {
        if let Item::Fn(function) = item
            && has_binding(&function.attrs)
        {
            let (name, parameters, result) =
                parts(&function.attrs, &function.sig, &Names::new(), "undefined")?;
            text.push_str(&comment(&function.attrs, "  "));
            text.push_str(&format!(
                "  export function {name}{parameters}: {result};\n"
            ));
        }
    }
    text.push_str("}\n");
    for item in syn::parse_file(imports)?.items {
        let Item::ForeignMod(block) = item else {
            continue;
        };
        let mut names = Names::new();
        for item in &block.items {
            if let ForeignItem::Type(item) = item {
                let declared = binding(&item.attrs, "typescript_type")?;
                let declared =
                    declared.with_context(|| format!("`{}` has no typescript_type", item.ident))?;
                names.insert(item.ident.to_string(), declared);
            }
        }
        for item in &block.items {
            if let ForeignItem::Fn(function) = item {
                let (name, parameters, result) =
                    parts(&function.attrs, &function.sig, &names, "null")?;
                text.push('\n');
                text.push_str(&comment(&function.attrs, ""));
                text.push_str(&format!("declare var {name}: {parameters} => {result};\n"));
            }
        }
    }
    Ok(text)
}

/// TypeScript by name of a type that stands for it in Rust.
type Names = BTreeMap<String, String>;

/// Name, parameters in parentheses, and result. `absent`: what stands for `None`.
fn parts(
    attributes: &[Attribute],
    signature: &Signature,
    names: &Names,
    absent: &str,
) -> Result<(String, String, String)> {
    let name = binding(attributes, "js_name")?.unwrap_or_else(|| signature.ident.to_string());
    let mut parameters = Vec::new();
    for input in &signature.inputs {
        let FnArg::Typed(parameter) = input else {
            bail!("`{name}` takes `self`");
        };
        let Pat::Ident(called) = &*parameter.pat else {
            bail!("a parameter of `{name}` has no name");
        };
        let declared = match binding(&parameter.attrs, "unchecked_param_type")? {
            Some(declared) => declared,
            None => script_type(&parameter.ty, names, absent)
                .with_context(|| format!("`{}` of `{name}`", called.ident))?,
        };
        parameters.push(format!("{}: {declared}", called.ident));
    }
    let result = match &signature.output {
        ReturnType::Default => "void".to_owned(),
        ReturnType::Type(_, result) => {
            script_type(result, names, absent).with_context(|| format!("what `{name}` gives"))?
        }
    };
    Ok((name, format!("({})", parameters.join(", ")), result))
}

/// The TypeScript of a type that crosses the border.
fn script_type(given: &Type, names: &Names, absent: &str) -> Result<String> {
    let path = match given {
        Type::Reference(reference) => return script_type(&reference.elem, names, absent),
        Type::Tuple(tuple) if tuple.elems.is_empty() => return Ok("void".to_owned()),
        Type::Path(path) => &path.path,
        _ => bail!("is of a type that scripts do not have"),
    };
    let last = path.segments.last().context("is of no type")?;
    let inner = || {
        let PathArguments::AngleBracketed(arguments) = &last.arguments else {
            bail!("`{}` is of nothing", last.ident);
        };
        match arguments.args.first() {
            Some(GenericArgument::Type(inner)) => script_type(inner, names, absent),
            _ => bail!("`{}` is of nothing", last.ident),
        }
    };
    Ok(match last.ident.to_string().as_str() {
        "str" | "String" => "string".to_owned(),
        "bool" => "boolean".to_owned(),
        "JsValue" => "unknown".to_owned(),
        "Promise" => "Promise<unknown>".to_owned(),
        name @ ("Element" | "MessagePort") => name.to_owned(),
        // A fault is thrown.
        "Result" => inner()?,
        "Option" => format!("{} | {absent}", inner()?),
        name => names
            .get(name)
            .with_context(|| format!("`{name}` has no TypeScript here: add it"))?
            .clone(),
    })
}

fn has_binding(attributes: &[Attribute]) -> bool {
    attributes
        .iter()
        .any(|attribute| attribute.path().is_ident("wasm_bindgen"))
}

/// The value of a member of wasm-bindgen's attribute.
fn binding(attributes: &[Attribute], member: &str) -> Result<Option<String>> {
    let mut found = None;
    for attribute in attributes {
        // Without members it has no list.
        if !attribute.path().is_ident("wasm_bindgen") || matches!(attribute.meta, Meta::Path(_)) {
            continue;
        }
        attribute.parse_nested_meta(|meta| {
            if !meta.input.peek(syn::Token![=]) {
                return Ok(());
            }
            let value = meta.value()?;
            let value = if value.peek(syn::LitStr) {
                value.parse::<syn::LitStr>()?.value()
            } else {
                value.parse::<syn::Ident>()?.to_string()
            };
            if meta.path.is_ident(member) {
                found = Some(value);
            }
            Ok(())
        })?;
    }
    Ok(found)
}

/// The doc comment without its section on errors, which in scripts are exceptions.
fn comment(attributes: &[Attribute], indent: &str) -> String {
    let mut lines: Vec<String> = attributes.iter().filter_map(doc_line).collect();
    if let Some(errors) = lines.iter().position(|line| line == "# Errors") {
        lines.truncate(errors);
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    match lines.as_slice() {
        [] => String::new(),
        [only] => format!("{indent}/** {only} */\n"),
        several => {
            let several = several.iter().map(|line| format!("{indent} * {line}"));
            let several = several.map(|line| format!("{}\n", line.trim_end()));
            format!("{indent}/**\n{}{indent} */\n", several.collect::<String>())
        }
    }
}

fn doc_line(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(MetaNameValue {
        path,
        value: Expr::Lit(ExprLit {
            lit: Lit::Str(line),
            ..
        }),
        ..
    }) = &attribute.meta
    else {
        return None;
    };
    // Links of rustdoc are names here.
    let line = line.value().replace("[`", "`").replace("`]", "`");
    path.is_ident("doc").then(|| line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXPORTED: &str = r##"
        /// Starts. See [`draw`].
        ///
        /// # Errors
        /// Never.
        #[wasm_bindgen(js_name = startForm)]
        pub fn start(
            pressed: bool,
            #[wasm_bindgen(unchecked_param_type = "Record<string, string>")] texts: JsValue,
        ) -> Result<(), JsValue> { Ok(()) }
        /// Not for scripts.
        pub fn inner(number: u32) {}
    "##;
    const IMPORTED: &str = r##"
        #[wasm_bindgen]
        extern "C" {
            #[wasm_bindgen(typescript_type = "() => void")]
            pub type Action;
            /// One.
            /// Two.
            #[wasm_bindgen(js_name = find, catch)]
            pub fn find_it(id: &str, act: &Action) -> Result<Option<Element>, JsValue>;
        }
    "##;

    #[test]
    fn functions_are_declared_as_scripts_see_them() -> Result<()> {
        let text = text_of(EXPORTED, IMPORTED)?;
        let (_, text) = text.split_once("\n\n").context("it has a head")?;
        assert_eq!(
            text,
            "declare module '{{glue}}' {\n\
             \x20 /** Starts. See `draw`. */\n\
             \x20 export function startForm(pressed: boolean, texts: Record<string, string>): void;\n\
             }\n\n\
             /**\n * One.\n * Two.\n */\n\
             declare var find: (id: string, act: () => void) => Element | null;\n"
        );
        Ok(())
    }

    #[test]
    fn an_unknown_type_is_refused() {
        let unknown = IMPORTED.replace("Element", "Document");
        let refusal = format!("{:#}", text_of("", &unknown).unwrap_err());
        assert!(
            refusal.contains("`Document` has no TypeScript here"),
            "{refusal}"
        );
    }
}
