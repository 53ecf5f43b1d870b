//! The tools for the cloud drive.
//!
//! Upstream: `default_suites/v1/tools/cloud_drive_client.py`.

use memchr::memmem::Finder;
use trace::call::ToolError;

use crate::drive::{File, Permission, no_file};
use crate::shared::Record;
use crate::tool::{Arguments, Output, Tool};
use crate::workspace::Workspace;

type Answer<'w> = Result<Output<'w>, ToolError>;

pub(crate) const APPEND_TO_FILE: Tool<Workspace> =
    Tool { name: "append_to_file", signature: "file_id: str, content: str", run: append_to_file };

pub(crate) const SEARCH_FILES_BY_FILENAME: Tool<Workspace> = Tool {
    name: "search_files_by_filename",
    signature: "filename: str",
    run: search_files_by_filename,
};

pub(crate) const CREATE_FILE: Tool<Workspace> =
    Tool { name: "create_file", signature: "filename: str, content: str", run: create_file };

pub(crate) const DELETE_FILE: Tool<Workspace> =
    Tool { name: "delete_file", signature: "file_id: str", run: delete_file };

pub(crate) const GET_FILE_BY_ID: Tool<Workspace> =
    Tool { name: "get_file_by_id", signature: "file_id: str", run: get_file_by_id };

pub(crate) const LIST_FILES: Tool<Workspace> =
    Tool { name: "list_files", signature: "", run: list_files };

pub(crate) const SHARE_FILE: Tool<Workspace> = Tool {
    name: "share_file",
    signature: "file_id: str, email: str, permission: r|rw",
    run: share_file,
};

pub(crate) const SEARCH_FILES: Tool<Workspace> =
    Tool { name: "search_files", signature: "query: str", run: search_files };

fn list<'w>(files: impl Iterator<Item = &'w Record<File>> + Clone) -> Output<'w> {
    Output::records(files, File::node)
}

fn one<'w>(world: &'w Workspace, id: &str) -> Answer<'w> {
    let file = world.cloud_drive.files.get(id).ok_or_else(|| no_file(id))?;
    Ok(Output::record(file, File::node))
}

fn append_to_file<'w>(world: &'w mut Workspace, args: &Arguments) -> Answer<'w> {
    let id = args.required(0);
    let file = world.cloud_drive.change(id)?;
    file.content.push_str(args.required(1));
    file.measure();
    file.last_modified = world.clock.now();
    one(world, id)
}

/// An empty list is an ordinary answer, unlike that of [`search_files`].
fn search_files_by_filename<'w>(world: &'w mut Workspace, args: &Arguments) -> Answer<'w> {
    let part = args.required(0).to_lowercase();
    let part = Finder::new(&part);
    let files = world.cloud_drive.files.values();
    let found: Vec<&Record<File>> = files.filter(|file| file.holds(0, &part)).collect();
    Ok(list(found.into_iter()))
}

fn create_file<'w>(world: &'w mut Workspace, args: &Arguments) -> Answer<'w> {
    let Workspace { cloud_drive, clock, .. } = world;
    let made = cloud_drive.create(args.required(0), args.required(1), clock);
    Ok(Output::record(made, File::node))
}

/// Answers with the file, which nothing holds any more.
fn delete_file<'w>(world: &'w mut Workspace, args: &Arguments) -> Answer<'w> {
    let id = args.required(0);
    let text = one(world, id)?.render();
    world.cloud_drive.files.change().shift_remove(id);
    Ok(Output::Text(text.into()))
}

fn get_file_by_id<'w>(world: &'w mut Workspace, args: &Arguments) -> Answer<'w> {
    one(world, args.required(0))
}

fn list_files<'w>(world: &'w mut Workspace, _: &Arguments) -> Answer<'w> {
    Ok(list(world.cloud_drive.files.values()))
}

fn share_file<'w>(world: &'w mut Workspace, args: &Arguments) -> Answer<'w> {
    let id = args.required(0);
    let file = world.cloud_drive.change(id)?;
    let permission = Permission::parse(args.required(2));
    file.shared_with.insert(args.required(1).to_owned(), permission);
    one(world, id)
}

fn search_files<'w>(world: &'w mut Workspace, args: &Arguments) -> Answer<'w> {
    let query = args.required(0);
    let part = query.to_lowercase();
    let part = Finder::new(&part);
    let files = world.cloud_drive.files.values();
    let found: Vec<&Record<File>> = files.filter(|file| file.holds(1, &part)).collect();
    if found.is_empty() {
        return Err(ToolError::value(format!(
            "No files found with the given query ('{query}'). Try a different search term."
        )));
    }
    Ok(list(found.into_iter()))
}
